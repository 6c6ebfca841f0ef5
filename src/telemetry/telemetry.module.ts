import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Registry } from 'prom-client';
import type { AppConfig } from '../config/app-config';
import { loadOtelPackages } from './otel-packages';
import { Telemetry } from './telemetry';

const TELEMETRY = Symbol('TELEMETRY');

/** Traces and metrics with OpenTelemetry, if a collector is configured; otherwise nothing is loaded. */
@Module({
  providers: [{ provide: TELEMETRY, inject: [ConfigService, Registry], useFactory: startTelemetry }],
})
export class TelemetryModule implements OnApplicationShutdown {
  constructor(@Inject(TELEMETRY) private readonly telemetry: Telemetry | undefined) {}

  async onApplicationShutdown(): Promise<void> {
    await this.telemetry?.stop();
  }
}

/** @throws ConfigurationError if packages are missing */
async function startTelemetry(
  config: ConfigService<AppConfig, true>,
  registry: Registry,
): Promise<Telemetry | undefined> {
  const settings = config.get('telemetry', { infer: true });
  return settings && new Telemetry(await loadOtelPackages(), settings, registry);
}
