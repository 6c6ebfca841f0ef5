import { Global, Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { ThrottlerModule } from '@nestjs/throttler';
import { Registry } from 'prom-client';
import { GeneralRateLimit } from '../access/general-rate-limit';
import { primaryLink } from '../cluster/primary-link';
import type { AppConfig } from '../config/app-config';
import { RedisService } from '../redis/redis.service';
import { AddressAllowance } from './address-allowance';
import { bucketOf } from './bucket';
import { PrimaryRateLimitStorage } from './primary-rate-limit.storage';
import { RateLimit } from './rate-limit';
import { RateLimitMetrics } from './rate-limit.metrics';
import { RateLimitStorage } from './rate-limit-storage';
import { LIMITS_CONNECTION, RedisRateLimitStorage } from './redis-rate-limit.storage';
import { SharedRateLimitStorage } from './shared-rate-limit.storage';
import { TokenBucketStorage } from './token-bucket.storage';

/**
 * The rate limit in `RATE_LIMIT_REQUESTS_PER_SECOND` and `RATE_LIMIT_BURST_SIZE`. If Redis is configured, requests are
 * counted there, together with those of other instances; otherwise in this process, or in the primary if there are
 * several processes.
 */
@Global()
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [ConfigService, RateLimitStorage],
      useFactory: (config: ConfigService<AppConfig, true>, storage: RateLimitStorage) => ({
        throttlers: [bucketOf(config.get('rateLimit', { infer: true }))],
        storage,
      }),
    }),
  ],
  providers: [
    { provide: RateLimitStorage, inject: [RedisService, Registry], useFactory: createStorage },
    GeneralRateLimit,
    RateLimit,
    AddressAllowance,
  ],
  exports: [ThrottlerModule, RateLimitStorage, GeneralRateLimit, RateLimit, AddressAllowance],
})
export class RateLimitsModule {}

function createStorage(redis: RedisService, registry: Registry): RateLimitStorage {
  const local = primaryLink ? new PrimaryRateLimitStorage(primaryLink) : new TokenBucketStorage();
  if (!redis.configured) return local;
  const client = redis.connect('rate limits', LIMITS_CONNECTION);
  return new SharedRateLimitStorage(new RedisRateLimitStorage(client), local, new RateLimitMetrics(registry));
}
