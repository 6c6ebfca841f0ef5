import { DomainError } from './domain-error';
import type { ErrorCode } from './error-codes';

/** A failure that time cures; the response says in `Retry-After` when to try again. */
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

/** This process is at one of its own limits; `detail` names it. */
export function overloaded(detail: string): RetryLaterError {
  return new RetryLaterError('overloaded', 'Service Unavailable', detail, 1);
}
