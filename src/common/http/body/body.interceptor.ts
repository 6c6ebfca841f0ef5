import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import { BodyBudget } from './body-budget';

/**
 * Keeps the memory of a request's body reserved until its handler has ended. It must be the first interceptor, so that
 * it includes the others.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(private readonly budget: BodyBudget) {}

  /** @throws DomainError `overloaded` */
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const release = this.budget.hold(context.switchToHttp().getResponse<Response>());
    return release ? next.handle().pipe(finalize(release)) : next.handle();
  }
}
