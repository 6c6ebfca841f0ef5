import { Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { TerminusModule } from '@nestjs/terminus';
import type { AppConfig } from '../config/app-config';
import { FreezeModule } from '../freeze/freeze.module';
import { HealthController } from './health.controller';
import { ReadinessService } from './readiness.service';

/** Liveness and readiness. */
@Module({
  imports: [
    FreezeModule,
    TerminusModule.forRootAsync({
      inject: [ConfigService],
      // Readiness becomes 503 immediately on SIGTERM; the listener stays open this long so that probes see it.
      useFactory: (config: ConfigService<AppConfig, true>) => ({
        gracefulShutdownTimeoutMs: config.get('http', { infer: true }).drainMs,
        logger: false,
      }),
    }),
  ],
  controllers: [HealthController],
  providers: [ReadinessService],
})
export class HealthModule {}
