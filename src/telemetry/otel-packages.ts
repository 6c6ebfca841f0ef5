import type * as api from '@opentelemetry/api';
import type * as metricExporter from '@opentelemetry/exporter-metrics-otlp-http';
import type * as traceExporter from '@opentelemetry/exporter-trace-otlp-http';
import type * as resources from '@opentelemetry/resources';
import type * as sdkMetrics from '@opentelemetry/sdk-metrics';
import type * as sdkTrace from '@opentelemetry/sdk-trace';
import { isPackageMissing } from '../common/errors/missing-package';
import { peerPackages } from '../common/peer-packages';
import { ConfigurationError } from '../config/configuration-error';

/** The OpenTelemetry packages that the service uses. They are only installed if a collector is configured. */
export interface OtelPackages {
  api: typeof api;
  resources: typeof resources;
  sdkTrace: typeof sdkTrace;
  traceExporter: typeof traceExporter;
  sdkMetrics: typeof sdkMetrics;
  metricExporter: typeof metricExporter;
}

const PREFIX = '@opentelemetry/';

/** @throws ConfigurationError that lists the packages to install */
export async function loadOtelPackages(): Promise<OtelPackages> {
  try {
    return {
      api: await import('@opentelemetry/api'),
      resources: await import('@opentelemetry/resources'),
      sdkTrace: await import('@opentelemetry/sdk-trace'),
      traceExporter: await import('@opentelemetry/exporter-trace-otlp-http'),
      sdkMetrics: await import('@opentelemetry/sdk-metrics'),
      metricExporter: await import('@opentelemetry/exporter-metrics-otlp-http'),
    };
  } catch (error) {
    if (!isPackageMissing(error, PREFIX)) throw error;
    throw new ConfigurationError([
      `OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed: npm install --save-prod ${peerPackages(PREFIX)}`,
    ]);
  }
}
