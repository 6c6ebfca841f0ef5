import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Reflector } from '@nestjs/core';
import { map, type Observable, throwError, timeout } from 'rxjs';
import type { AppConfig } from '../../config/app-config';
import { success, successPage } from '../envelope/envelope';
import { SKIP_ENVELOPE } from '../envelope/skip-envelope.decorator';
import { DomainError } from '../errors/domain-error';
import { Page } from '../pagination/page';
import { recordedMetadata } from './request-context';

/**
 * What becomes of a handler's result: 503 when it comes later than the request time-out allows, although what the
 * handler began may still finish; else the success envelope, a {@link Page} with its pagination. One interceptor,
 * since each costs a request as much as the guards.
 */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  private readonly milliseconds: number;

  constructor(
    config: ConfigService<AppConfig, true>,
    private readonly reflector: Reflector,
  ) {
    this.milliseconds = config.get('http', { infer: true }).requestTimeoutMs;
  }

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const result = next.handle().pipe(timeout({ each: this.milliseconds, with: tooLate }));
    return this.reflector.getAllAndOverride(SKIP_ENVELOPE, [context.getHandler(), context.getClass()])
      ? result
      : result.pipe(map(inEnvelope));
  }
}

function inEnvelope(result: unknown): unknown {
  return result instanceof Page
    ? successPage(result, recordedMetadata())
    : success(result, recordedMetadata());
}

function tooLate(): Observable<never> {
  return throwError(() => new DomainError('unavailable', 'Service Unavailable', 'the request took too long'));
}
