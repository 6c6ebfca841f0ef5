import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as api from '@opentelemetry/api';
import type * as metricExporter from '@opentelemetry/exporter-metrics-otlp-http';
import type * as traceExporter from '@opentelemetry/exporter-trace-otlp-http';
import type * as resources from '@opentelemetry/resources';
import type * as sdkMetrics from '@opentelemetry/sdk-metrics';
import type * as sdkTrace from '@opentelemetry/sdk-trace';
import { isPackageMissing } from '../common/errors/missing-package';
import { ConfigurationError } from '../config/configuration-error';

/** The packages of OpenTelemetry that the service uses. They are installed only where a collector is configured. */
export interface OtelPackages {
  api: typeof api;
  resources: typeof resources;
  sdkTrace: typeof sdkTrace;
  traceExporter: typeof traceExporter;
  sdkMetrics: typeof sdkMetrics;
  metricExporter: typeof metricExporter;
}

const MANIFEST = join(__dirname, '../../package.json');
const PREFIX = '@opentelemetry/';

/** @throws ConfigurationError that says what to install */
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
      `OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed: npm install --save-prod ${peers().join(' ')}`,
    ]);
  }
}

/** In the versions that the service is tested with: later ones need a newer Node. */
function peers(): string[] {
  const { peerDependencies } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as {
    peerDependencies: Record<string, string>;
  };
  return Object.entries(peerDependencies)
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, range]) => `${name}@${range}`);
}
