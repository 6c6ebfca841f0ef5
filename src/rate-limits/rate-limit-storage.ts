import type { ThrottlerStorage } from '@nestjs/throttler';
import type { bucketOf } from './bucket';
import { RateLimitedError } from './rate-limited.error';

/** The share of one request by which rounding may overdraw an allowance. */
export const ROUNDING = 1e-5;

/** The cost of a request, and how many requests must be left for it to pass. */
export interface Charge {
  /** The number of requests that it counts as. */
  cost: number;
  /**
   * The number of requests that must be left for it to pass. The rest of the cost becomes debt, which is paid off over
   * time.
   */
  required: number;
}

/**
 * Counts requests by key. The application chooses the implementation. `limit` is the size of an allowance, and `limit /
 * ttl` the number of requests that it regains per millisecond.
 */
export abstract class RateLimitStorage implements ThrottlerStorage {
  /** Counts one request, for the throttler's guard. */
  increment(key: string, ttl: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    return this.charge(key, ttl, limit, { cost: 1, required: 1 });
  }

  /** Takes the whole cost or, if the result is `isBlocked`, nothing. */
  abstract charge(
    key: string,
    ttl: number,
    limit: number,
    charge: Charge,
  ): ReturnType<ThrottlerStorage['increment']>;

  /** Like {@link charge}, by default for one request. @throws RateLimitedError if nothing was taken */
  async take(
    key: string,
    { ttl, limit }: ReturnType<typeof bucketOf>,
    charge: Charge = { cost: 1, required: 1 },
  ): Promise<void> {
    const { isBlocked, timeToBlockExpire } = await this.charge(key, ttl, limit, charge);
    if (isBlocked) throw new RateLimitedError(timeToBlockExpire);
  }
}
