import { DomainError } from './domain-error';
import type { ErrorCode } from './error-codes';

/** A temporary failure; `Retry-After` in the response says when to retry. */
export class RetryLaterError extends DomainError {
  constructor(
    code: ErrorCode,
    message: string,
    detail: string,
    readonly retryAfterSeconds: number,
  ) {
    super(code, message, detail);
    this.name = 'RetryLaterError';
  }
}

/** This process has reached one of its own limits; `detail` names it. */
export function overloaded(detail: string): RetryLaterError {
  return new RetryLaterError('overloaded', 'Service Unavailable', detail, 1);
}
