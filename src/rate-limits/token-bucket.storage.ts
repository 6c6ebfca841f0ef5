import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { MonotonicClock } from '../common/event-loop/event-loop-turns';
import { type Charge, RateLimitStorage, ROUNDING } from './rate-limit-storage';
import { toRecord } from './record';

const MAX_KEYS = 100_000;

/** An allowance in use. */
interface Bucket {
  /** When the bucket is full again. If that is later than `ttl` from now, it is in debt. */
  fullAt: number;
  /** The milliseconds that regain one request. */
  refillOne: number;
}

/**
 * Counts requests by the generic cell rate algorithm. If the rate of a key changes, the number of used requests stays
 * the same.
 *
 * The number of keys is limited: full buckets are dropped first, then the least recently used ones.
 */
@Injectable()
export class TokenBucketStorage extends RateLimitStorage {
  /** In the order of their last use. */
  readonly #buckets = new Map<string, Bucket>();
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
    const known = this.find(key, refillOne, now);
    const before = Math.max(known?.fullAt ?? now, now);
    const shortage = before + required * refillOne - now - ttl;
    const isBlocked = shortage > refillOne * ROUNDING;
    const fullAt = isBlocked ? before : before + cost * refillOne;
    if (!isBlocked) {
      this.record(key, known ?? { fullAt, refillOne }, fullAt);
      if (this.#buckets.size > this.maxKeys) this.evict(now);
    }
    return Promise.resolve(toRecord(fullAt - now, isBlocked ? shortage : 0, refillOne));
  }

  private find(key: string, refillOne: number, now: number): Bucket | undefined {
    const bucket = this.#buckets.get(key);
    if (!bucket || bucket.refillOne === refillOne) return bucket;
    bucket.fullAt = now + Math.max(0, bucket.fullAt - now) * (refillOne / bucket.refillOne);
    bucket.refillOne = refillOne;
    return bucket;
  }

  private record(key: string, bucket: Bucket, fullAt: number): void {
    bucket.fullAt = fullAt;
    // Each deletion leaves a hole, because of which the map is copied every few requests. The key that was used last is
    // already at the end.
    if (key === this.#lastUsed && this.#buckets.has(key)) return;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    this.#lastUsed = key;
  }

  private evict(now: number): void {
    for (const [key, { fullAt }] of this.#buckets) {
      if (fullAt <= now) this.#buckets.delete(key);
    }
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= this.maxKeys * 0.9) return;
      this.#buckets.delete(key);
    }
  }
}
