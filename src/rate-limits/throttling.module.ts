import { ConfigService } from '@nestjs/config';
import { Global, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { AppConfig } from '../config/app-config';
import { AddressAllowance } from './address-allowance';
import { bucketOf } from './bucket';
import { RateLimit } from './rate-limit';
import { RateLimitStorage } from './rate-limit-storage';

/** The rate limit of `RATE_LIMIT_REQUESTS_PER_SECOND` and `RATE_LIMIT_BURST_SIZE`, counted by the application's `RateLimitStorage`. */
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
  providers: [RateLimit, AddressAllowance],
  exports: [ThrottlerModule, RateLimit, AddressAllowance],
})
export class ThrottlingModule {}
