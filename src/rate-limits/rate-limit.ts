import { Inject, Injectable } from '@nestjs/common';
import { getStorageToken } from '@nestjs/throttler';
import { GeneralRateLimit } from '../access/general-rate-limit';
import { currentPrincipal } from '../access/principal';
import { currentRequest } from '../common/http/request-context';
import { bucketOf } from './bucket';
import { RateLimitStorage } from './rate-limit-storage';

/** Charges requests that do the work of several. */
@Injectable()
export class RateLimit {
  constructor(
    @Inject(getStorageToken()) private readonly storage: RateLimitStorage,
    private readonly general: GeneralRateLimit,
  ) {}

  /**
   * Counts the current request as `count` requests of its caller; the guard has already counted the first. The
   * allowance must have that many left. If `count` is larger than the burst, the whole burst must be left, and the rest
   * becomes debt: no request passes until time has paid it off. Requests that the guard does not limit are free.
   *
   * @throws RateLimitedError; in that case only the first request is counted
   */
  async charge(count: number): Promise<void> {
    const key = currentRequest()?.rateLimitKey;
    if (key === undefined || count <= 1) return;
    const bucket = bucketOf(currentPrincipal()?.rateLimit ?? this.general.current);
    await this.storage.take(key, bucket, { cost: count - 1, required: Math.min(count, bucket.limit) - 1 });
  }
}
