import type { ThrottlerStorage } from '@nestjs/throttler';

/** Share of one request by which rounding may overdraw an allowance. */
export const ROUNDING = 1e-5;

/** What a request takes from an allowance. */
export interface Charge {
  /** Requests that it counts as. */
  cost: number;
  /** Requests that must be left for it to pass; what it costs beyond becomes debt that time pays off. */
  required: number;
}

/** Counts requests by key; which one counts is bound by the application. `limit` is the size of an allowance, `limit / ttl` what it regains per millisecond. */
export abstract class RateLimitStorage implements ThrottlerStorage {
  /** One request, as the throttler's guard counts it. */
  increment(key: string, ttl: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    return this.charge(key, ttl, limit, { cost: 1, required: 1 });
  }

  /** Takes the whole cost or, where `isBlocked`, nothing. */
  abstract charge(
    key: string,
    ttl: number,
    limit: number,
    charge: Charge,
  ): ReturnType<ThrottlerStorage['increment']>;
}
