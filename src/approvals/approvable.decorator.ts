import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpStatus,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { ApiEnvelope } from '../common/openapi/api-responses';
import { PendingChangeResponse } from './dto/pending-change.response';

/** Responds with 202 if the result is a pending change. */
@Injectable()
class PendingChangeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(
      tap((result) => {
        if (result instanceof PendingChangeResponse)
          context.switchToHttp().getResponse<Response>().status(HttpStatus.ACCEPTED);
      }),
    );
  }
}

/** Marks a route that uses a `ChangeOperation`: the response is 202 if the change waits for approval. */
export const Approvable = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(PendingChangeInterceptor),
    ApiEnvelope(PendingChangeResponse, HttpStatus.ACCEPTED),
  );
