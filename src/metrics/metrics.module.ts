import { Global, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Exposition } from './exposition';
import { HttpMetrics } from './http-metrics';
import { HttpServerMetrics } from './http-server.metrics';
import { registerLogMetrics } from './log.metrics';
import { MetricsController } from './metrics.controller';
import { collectProcessMetrics } from './process-metrics';
import { registerServiceInfo } from './service-info';

/** One registry per process. Each module declares its metrics in one file and registers them here. */
@Global()
@Module({
  controllers: [MetricsController],
  providers: [{ provide: Registry, useFactory: createRegistry }, HttpMetrics, HttpServerMetrics, Exposition],
  exports: [Registry, HttpMetrics, HttpServerMetrics],
})
export class MetricsModule {}

function createRegistry(): Registry {
  const registry = new Registry();
  collectProcessMetrics(registry);
  registerServiceInfo(registry);
  registerLogMetrics(registry);
  return registry;
}
