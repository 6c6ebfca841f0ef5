import { RetryLaterError } from '../common/errors/retry-later.error';

/** A caller's allowance is used up; the response says in `Retry-After` when there will be enough of it again. */
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
