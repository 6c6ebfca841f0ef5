import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Resource } from '@opentelemetry/resources';
import type { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { Sampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Registry } from 'prom-client';
import { SERVICE_VERSION } from '../common/service-version';
import { useTracer } from '../common/tracing/spans';
import type { TelemetrySettings } from '../config/app-config';
import { parseCollectorHeaders } from '../config/telemetry-formats';
import type { OtelPackages } from './otel-packages';
import { otelTracer } from './otel-tracer';
import { PrometheusProducer } from './prometheus-producer';

const SCOPE = 'relayer-management-service';
/** Time that a stop waits for the last spans to be sent. @limit Outgoing calls */
const FLUSH_MS = 2000;
/** Time for one request to the collector. @limit Outgoing calls */
const EXPORT_TIMEOUT_MS = 10_000;
/** Spans of a process that wait for the collector; more are dropped. @limit Outgoing calls */
const MAX_WAITING_SPANS = 2048;
const REPORT_PAUSE_MS = 60_000;

/** Sends traces and metrics to a collector until it is stopped. */
export class Telemetry {
  private readonly logger = new Logger(Telemetry.name);
  private readonly traces: TracerProvider | undefined;
  private readonly metrics: MeterProvider | undefined;
  private reportedAt = -Infinity;

  constructor(
    private readonly otel: OtelPackages,
    private readonly settings: TelemetrySettings,
    registry: Registry,
  ) {
    this.reportFailures();
    const resource = this.resource();
    if (settings.traces) this.traces = this.tracerProvider(resource);
    if (settings.metrics) this.metrics = this.meterProvider(resource, registry);
    if (this.traces) useTracer(otelTracer(otel.api, this.traces.getTracer(SCOPE, SERVICE_VERSION)));
  }

  /** Sends pending data, within a time limit. */
  async stop(): Promise<void> {
    useTracer(undefined);
    const sent = Promise.allSettled([this.traces?.shutdown(), this.metrics?.shutdown()]);
    await Promise.race([sent, sleep(FLUSH_MS, undefined, { ref: false })]);
  }

  /** Includes the attributes in `OTEL_RESOURCE_ATTRIBUTES`. */
  private resource(): Resource {
    const { resourceFromAttributes, defaultResource, detectResources, envDetector } = this.otel.resources;
    return defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(
        resourceFromAttributes({
          'service.name': this.settings.serviceName,
          'service.version': SERVICE_VERSION,
          'service.instance.id': randomUUID(),
        }),
      );
  }

  private tracerProvider(resource: Resource): TracerProvider {
    const { sdkTrace, traceExporter } = this.otel;
    const exporter = new traceExporter.OTLPTraceExporter(this.exporterOptions('traces'));
    const queue = { exporter, maxQueueSize: MAX_WAITING_SPANS, exportTimeoutMillis: EXPORT_TIMEOUT_MS };
    return new sdkTrace.TracerProvider({
      resource,
      sampler: this.sampler(),
      spanProcessors: [new sdkTrace.BatchSpanProcessor(queue)],
    });
  }

  private meterProvider(resource: Resource, registry: Registry): MeterProvider {
    const { sdkMetrics, metricExporter } = this.otel;
    const { metricIntervalMs } = this.settings;
    const reader = new sdkMetrics.PeriodicExportingMetricReader({
      exporter: new metricExporter.OTLPMetricExporter(this.exporterOptions('metrics')),
      exportIntervalMillis: metricIntervalMs,
      exportTimeoutMillis: Math.min(EXPORT_TIMEOUT_MS, metricIntervalMs),
      metricProducers: [new PrometheusProducer(registry, sdkMetrics, resource)],
    });
    return new sdkMetrics.MeterProvider({ resource, readers: [reader] });
  }

  private exporterOptions(signal: 'traces' | 'metrics') {
    const { endpoint, headers } = this.settings;
    return {
      url: `${endpoint}/v1/${signal}`,
      ...(headers && { headers: parseCollectorHeaders(headers.reveal()) }),
    };
  }

  private sampler(): Sampler {
    const { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } =
      this.otel.sdkTrace;
    const { name, ratio } = this.settings.sampler;
    const root = name.endsWith('always_on')
      ? new AlwaysOnSampler()
      : name.endsWith('always_off')
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio);
    return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
  }

  /** Logs OpenTelemetry's own failures, at most one line per minute. */
  private reportFailures(): void {
    const report = (text: string): void => {
      const now = performance.now();
      if (now - this.reportedAt < REPORT_PAUSE_MS) return;
      this.reportedAt = now;
      this.logger.warn('Telemetry could not be sent', { cause: text.slice(0, 256) });
    };
    const { diag, DiagLogLevel } = this.otel.api;
    const ignore = (): void => undefined;
    diag.setLogger(
      { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
  }
}
