import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { type Charge, RateLimitStorage, ROUNDING } from './rate-limit-storage';
import { toRecord } from './record';

const MAX_KEYS = 100_000;

/** Milliseconds since any fixed moment; never runs backwards. */
export type MonotonicClock = () => number;

/**
 * Counts requests by the generic cell rate algorithm, a token bucket that holds one number per key: the moment
 * at which the bucket is full again; later than `ttl` from now, it is in debt.
 *
 * The number of keys is bounded: full buckets are dropped first, then the ones that were used longest ago.
 */
@Injectable()
export class TokenBucketStorage extends RateLimitStorage {
  /** In the order in which they were last used. */
  readonly #fullAt = new Map<string, number>();
  #lastUsed: string | undefined;

  constructor(
    private readonly now: MonotonicClock = () => performance.now(),
    private readonly maxKeys = MAX_KEYS,
  ) {
    super();
  }

  charge(
    key: string,
    ttl: number,
    limit: number,
    { cost, required }: Charge,
  ): ReturnType<ThrottlerStorage['increment']> {
    const now = this.now();
    const refillOne = ttl / limit;
    const before = Math.max(this.#fullAt.get(key) ?? now, now);
    const shortage = before + required * refillOne - now - ttl;
    const isBlocked = shortage > refillOne * ROUNDING;
    const fullAt = isBlocked ? before : before + cost * refillOne;
    if (!isBlocked) {
      this.record(key, fullAt);
      if (this.#fullAt.size > this.maxKeys) this.evict(now);
    }
    return Promise.resolve(toRecord(fullAt - now, isBlocked ? shortage : 0, refillOne));
  }

  private record(key: string, fullAt: number): void {
    // Each deletion leaves a hole, for which the map is copied every few requests; the key used last is at the end already.
    if (key !== this.#lastUsed) this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt);
    this.#lastUsed = key;
  }

  private evict(now: number): void {
    for (const [key, fullAt] of this.#fullAt) {
      if (fullAt <= now) this.#fullAt.delete(key);
    }
    for (const key of this.#fullAt.keys()) {
      if (this.#fullAt.size <= this.maxKeys * 0.9) return;
      this.#fullAt.delete(key);
    }
  }
}
