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
      // Readiness turns 503 at once on SIGTERM; the listener stays open this long for probes to see it.
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
