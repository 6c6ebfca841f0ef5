import { DomainError } from './domain-error';
import type { ErrorCode } from './error-codes';

/** A temporary failure. The `Retry-After` header of the response says when to retry. */
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

/** The failure of a request because this process has reached one of its own limits, which `detail` names. */
export function overloaded(detail: string): RetryLaterError {
  return new RetryLaterError('overloaded', 'Service Unavailable', detail, 1);
}
