import type { ThrottlerStorage } from '@nestjs/throttler';

/** Share of one request by which rounding may overdraw an allowance. */
export const ROUNDING = 1e-5;

/** The cost of a request, and the key of the allowance that it counts against. */
export interface Charge {
  /** Requests that it counts as. */
  cost: number;
  /** Requests that must be left for it to pass. The rest of the cost becomes debt, which time pays off. */
  required: number;
}

/**
 * Counts requests by key. The application decides which implementation is used. `limit` is the size of an allowance,
 * and `limit / ttl` the number of requests that it regains per millisecond.
 */
export abstract class RateLimitStorage implements ThrottlerStorage {
  /** One request, as the throttler's guard counts it. */
  increment(key: string, ttl: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    return this.charge(key, ttl, limit, { cost: 1, required: 1 });
  }

  /** Takes the whole cost or, if the result `isBlocked`, nothing. */
  abstract charge(
    key: string,
    ttl: number,
    limit: number,
    charge: Charge,
  ): ReturnType<ThrottlerStorage['increment']>;
}
