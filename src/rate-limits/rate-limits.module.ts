import { Global, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { primaryLink } from '../cluster/primary-link';
import { PrimaryRateLimitStorage } from './primary-rate-limit.storage';
import { RateLimitStorage } from './rate-limit-storage';
import { TokenBucketStorage } from './token-bucket.storage';
import { RedisService } from '../redis/redis.service';
import { RateLimitMetrics } from './rate-limit.metrics';
import { LIMITS_CONNECTION, RedisRateLimitStorage } from './redis-rate-limit.storage';
import { SharedRateLimitStorage } from './shared-rate-limit.storage';

/**
 * Where the throttler counts: in Redis, together with other instances, where one is configured; else in this process, or in
 * the primary of several.
 */
@Global()
@Module({
  providers: [{ provide: RateLimitStorage, inject: [RedisService, Registry], useFactory: createStorage }],
  exports: [RateLimitStorage],
})
export class RateLimitsModule {}

function createStorage(redis: RedisService, registry: Registry): RateLimitStorage {
  const local = primaryLink ? new PrimaryRateLimitStorage(primaryLink) : new TokenBucketStorage();
  if (!redis.configured) return local;
  const client = redis.connect('rate limits', LIMITS_CONNECTION);
  return new SharedRateLimitStorage(new RedisRateLimitStorage(client), local, new RateLimitMetrics(registry));
}
