import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Observable, throwError, timeout } from 'rxjs';
import type { AppConfig } from '../../config/app-config';
import { DomainError } from '../errors/domain-error';

/** Answers 503 when a handler takes longer than the request time-out; what it began may still finish. */
@Injectable()
export class TimeoutInterceptor implements NestInterceptor {
  private readonly milliseconds: number;

  constructor(config: ConfigService<AppConfig, true>) {
    this.milliseconds = config.get('http', { infer: true }).requestTimeoutMs;
  }

  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(
      timeout({
        each: this.milliseconds,
        with: () =>
          throwError(
            () => new DomainError('unavailable', 'Service Unavailable', 'the request took too long'),
          ),
      }),
    );
  }
}
