import { Inject, Injectable } from '@nestjs/common';
import { getStorageToken } from '@nestjs/throttler';
import { currentPrincipal } from '../access/principal';
import { RateLimitedError } from './rate-limited.error';
import { currentRequest } from '../common/http/request-context';
import { bucketOf } from './bucket';
import { GeneralAllowance } from './general-allowance';
import { RateLimitStorage } from './rate-limit-storage';

/** Charges a request that does the work of several. */
@Injectable()
export class RateLimit {
  constructor(
    @Inject(getStorageToken()) private readonly storage: RateLimitStorage,
    private readonly general: GeneralAllowance,
  ) {}

  /**
   * Counts the request that is being served as `count` requests of its caller, of which the guard has counted the
   * first. There must be as many left, or the whole burst where `count` is larger: the rest is owed, and
   * nothing passes until time has paid it. Requests that the guard does not limit cost nothing.
   *
   * @throws RateLimitedError; nothing but the first request is then counted
   */
  async charge(count: number): Promise<void> {
    const key = currentRequest()?.rateLimitKey;
    if (key === undefined || count <= 1) return;
    const own = currentPrincipal()?.rateLimit;
    const { limit, ttl } = own ? bucketOf(own) : this.general.bucket;
    const { isBlocked, timeToBlockExpire } = await this.storage.charge(key, ttl, limit, {
      cost: count - 1,
      required: Math.min(count, limit) - 1,
    });
    if (isBlocked) throw new RateLimitedError(timeToBlockExpire);
  }
}
