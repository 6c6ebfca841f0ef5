import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import type { Observable } from 'rxjs';

const PLAIN = 'plainResponse';

class PlainResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    context.switchToHttp().getResponse<Response>().locals[PLAIN] = true;
    return next.handle();
  }
}

/** The handler's result is the whole body: plain text, Prometheus' exposition, a bare JSON array. */
export const SkipEnvelope = (): MethodDecorator & ClassDecorator =>
  UseInterceptors(new PlainResponseInterceptor());

/** Whether the handler that answers here is marked by {@link SkipEnvelope}. */
export const skipsEnvelope = (response: Response): boolean => response.locals[PLAIN] === true;
