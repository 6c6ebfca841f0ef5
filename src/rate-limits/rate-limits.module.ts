import { Global, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { RateLimitStorage } from '../common/throttling/rate-limit-storage';
import { TokenBucketStorage } from '../common/throttling/token-bucket.storage';
import { RedisService } from '../redis/redis.service';
import { RateLimitMetrics } from './rate-limit.metrics';
import { RedisRateLimitStorage } from './redis-rate-limit.storage';
import { SharedRateLimitStorage } from './shared-rate-limit.storage';

/** Where the throttler counts: in Redis, together with other instances, where one is configured; else in this process. */
@Global()
@Module({
  providers: [{ provide: RateLimitStorage, inject: [RedisService, Registry], useFactory: createStorage }],
  exports: [RateLimitStorage],
})
export class RateLimitsModule {}

function createStorage(redis: RedisService, registry: Registry): RateLimitStorage {
  const local = new TokenBucketStorage();
  if (!redis.configured) return local;
  // What cannot be asked at once is counted here: nothing waits in a line for a connection.
  const client = redis.connect('rate limits', {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
  return new SharedRateLimitStorage(new RedisRateLimitStorage(client), local, new RateLimitMetrics(registry));
}
