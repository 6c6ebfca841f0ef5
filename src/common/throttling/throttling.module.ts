import { ConfigService } from '@nestjs/config';
import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { AppConfig } from '../../config/app-config';
import { TokenBucketStorage } from './token-bucket.storage';

/** The rate limit of `RATE_LIMIT_REQUESTS_PER_SECOND` and `RATE_LIMIT_BURST_SIZE`. */
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [ConfigService],
      useFactory: (config: ConfigService<AppConfig, true>) => {
        const { requestsPerSecond, burstSize } = config.get('rateLimit', { infer: true });
        return {
          throttlers: [{ limit: burstSize, ttl: (burstSize / requestsPerSecond) * 1000 }],
          storage: new TokenBucketStorage(),
        };
      },
    }),
  ],
  exports: [ThrottlerModule],
})
export class ThrottlingModule {}
