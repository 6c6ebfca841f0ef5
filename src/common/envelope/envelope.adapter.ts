import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { PrototypedExpressAdapter } from '../http/prototyped-express.adapter';
import { RawBody } from '../http/raw-body';
import { recordedMetadata } from '../http/request-context';
import { CursorPage } from '../pagination/cursor-page';
import { Page } from '../pagination/page';
import { success, successCursorPage, successPage } from './envelope';
import { skipsEnvelope } from './skip-envelope.decorator';

/**
 * Sends what handlers return in the success envelope, a {@link Page} or {@link CursorPage} with its pagination.
 *
 * Here and not in an interceptor: for the first interceptor on a route Nest makes a dozen Observables and two async
 * resources per request, which costs more than all guards and pipes.
 */
export class EnvelopeAdapter extends PrototypedExpressAdapter {
  /** @param status given by exception filters, whose bodies are sent as they are; not given by handlers */
  override reply(response: Response, result: unknown, status?: number): unknown {
    if (result instanceof RawBody) {
      result.send(response);
      return undefined;
    }
    if (response.writableEnded) {
      // The request has timed out, and was answered so.
      if (result instanceof StreamableFile) result.getStream().destroy();
      return undefined;
    }
    const isWhole = status !== undefined || skipsEnvelope(response) || result instanceof StreamableFile;
    return super.reply(response, isWhole ? result : inEnvelope(result), status) as unknown;
  }
}

function inEnvelope(result: unknown): unknown {
  const metadata = recordedMetadata();
  if (result instanceof Page) return successPage(result, metadata);
  if (result instanceof CursorPage) return successCursorPage(result, metadata);
  return success(result, metadata);
}
