import { ConfigService } from '@nestjs/config';
import { Global, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { AppConfig } from '../../config/app-config';
import { primaryLink } from '../cluster/primary-link';
import { bucketOf } from './bucket';
import { PrimaryRateLimitStorage } from './primary-rate-limit.storage';
import { RateLimit } from './rate-limit';
import { TokenBucketStorage } from './token-bucket.storage';

/** The rate limit of `RATE_LIMIT_REQUESTS_PER_SECOND` and `RATE_LIMIT_BURST_SIZE`. */
@Global()
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [ConfigService],
      useFactory: (config: ConfigService<AppConfig, true>) => ({
        throttlers: [bucketOf(config.get('rateLimit', { infer: true }))],
        storage: primaryLink ? new PrimaryRateLimitStorage(primaryLink) : new TokenBucketStorage(),
      }),
    }),
  ],
  providers: [RateLimit],
  exports: [ThrottlerModule, RateLimit],
})
export class ThrottlingModule {}
