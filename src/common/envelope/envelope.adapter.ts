import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { PrototypedExpressAdapter } from '../http/prototyped-express.adapter';
import { recordedMetadata } from '../http/request-context';
import { Page } from '../pagination/page';
import { success, successPage } from './envelope';
import { PlainAnswer } from './skip-envelope.decorator';

/**
 * Sends what handlers return in the success envelope, a {@link Page} with its pagination. Failures come from the
 * exception filter and have theirs already.
 *
 * Here and not in an interceptor: for the first interceptor on a route Nest makes a dozen Observables and two async
 * resources per request, which costs more than all guards and pipes.
 */
export class EnvelopeAdapter extends PrototypedExpressAdapter {
  override reply(response: Response, result: unknown, statusCode?: number): unknown {
    // Too late: the request has timed out, and was answered so.
    if (response.headersSent) return undefined;
    return super.reply(response, answerOf(result), statusCode) as unknown;
  }
}

function answerOf(result: unknown): unknown {
  if (result instanceof PlainAnswer) return result.content;
  if (result instanceof StreamableFile) return result;
  return result instanceof Page
    ? successPage(result, recordedMetadata())
    : success(result, recordedMetadata());
}
