import { RetryLaterError } from '../common/errors/retry-later.error';

/** The caller's allowance is used up; `Retry-After` says when it is sufficient again. */
export class RateLimitedError extends RetryLaterError {
  constructor(retryAfterSeconds: number) {
    super(
      'rate_limited',
      'Too Many Requests',
      'the rate limit is used up; see Retry-After',
      retryAfterSeconds,
    );
    this.name = 'RateLimitedError';
  }
}
