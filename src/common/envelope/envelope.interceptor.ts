import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, Observable } from 'rxjs';
import { recordedMetadata } from '../http/request-context';
import { Page } from '../pagination/page';
import { success, successPage } from './envelope';
import { SKIP_ENVELOPE } from './skip-envelope.decorator';

/** Wraps what a handler returns into the success envelope; a {@link Page} gets its pagination. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    if (this.reflector.getAllAndOverride(SKIP_ENVELOPE, [context.getHandler(), context.getClass()])) {
      return next.handle();
    }
    return next
      .handle()
      .pipe(
        map((result) =>
          result instanceof Page
            ? successPage(result, recordedMetadata())
            : success(result, recordedMetadata()),
        ),
      );
  }
}
