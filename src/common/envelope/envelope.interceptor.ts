import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Response } from 'express';
import { finalize, map, type Observable } from 'rxjs';
import { BodyBudget } from '../http/body/body-budget';
import { isMarked } from '../http/is-marked';
import { recordedMetadata } from '../http/request-context';
import { CursorPage } from '../pagination/cursor-page';
import { Page } from '../pagination/page';
import { success } from './envelope';
import { SKIP_ENVELOPE } from './skip-envelope.decorator';

/**
 * Wraps the results of handlers in the success envelope; a {@link Page} or {@link CursorPage} gets its pagination.
 * Files, and the results of handlers marked `@SkipEnvelope()`, are sent unchanged as the whole body. Failures never get
 * here: the exception filter writes their envelope.
 *
 * It also keeps the memory of the request's body reserved until the handler has ended: a second interceptor would cost a
 * signature some percent.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly bodies: BodyBudget) {}

  /** @throws DomainError `overloaded` */
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const release = this.bodies.hold(context.switchToHttp().getResponse<Response>());
    const handled = release ? next.handle().pipe(finalize(release)) : next.handle();
    return isMarked(context, SKIP_ENVELOPE) ? handled : handled.pipe(map(inEnvelope));
  }
}

function inEnvelope(result: unknown): unknown {
  if (result instanceof StreamableFile) return result;
  const metadata = recordedMetadata();
  if (result instanceof Page || result instanceof CursorPage)
    return { ...success(result.items, metadata), pagination: result.pagination };
  return success(result, metadata);
}
