import { DomainError } from './domain-error';

/** A caller's allowance is used up; the answer says in `Retry-After` when there will be enough of it again. */
export class RateLimitedError extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    super('rate_limited', 'Too Many Requests', 'the rate limit is used up; see Retry-After');
    this.name = 'RateLimitedError';
  }
}
