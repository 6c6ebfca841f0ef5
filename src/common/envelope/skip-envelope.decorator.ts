import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';

/** A result that is sent as it is. */
export class PlainAnswer {
  constructor(readonly content: unknown) {}
}

class PlainAnswerInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<PlainAnswer> {
    return next.handle().pipe(map((content) => new PlainAnswer(content)));
  }
}

/** The handler's result is the whole body: plain text, Prometheus' exposition, a bare JSON array. */
export const SkipEnvelope = (): MethodDecorator & ClassDecorator =>
  UseInterceptors(new PlainAnswerInterceptor());
