import type { HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type {
  CollectionResult,
  DataPoint,
  Histogram,
  MetricData,
  MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { getOrCreate } from '../common/get-or-create';
import type { OtelPackages } from './otel-packages';

/** A metric as prom-client represents it. The values of histograms also name the part that they belong to. */
type PrometheusMetric = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>;
type Labels = MetricValue<string>['labels'];

/**
 * Provides OpenTelemetry with the metrics that Prometheus scrapes, under the same names and labels. Nothing is counted
 * twice.
 */
export class PrometheusProducer implements MetricProducer {
  private readonly startTime = toHrTime(Date.now() - process.uptime() * 1000);

  constructor(
    private readonly registry: Registry,
    private readonly sdk: OtelPackages['sdkMetrics'],
    private readonly resource: Resource,
  ) {}

  async collect(): Promise<CollectionResult> {
    const endTime = toHrTime(Date.now());
    const metrics = (await this.registry.getMetricsAsJSON()) as PrometheusMetric[];
    const scope = { name: 'relayer-management-service' };
    const data = metrics.flatMap((metric) => this.toData(metric, endTime) ?? []);
    return {
      resourceMetrics: { resource: this.resource, scopeMetrics: [{ scope, metrics: data }] },
      errors: [],
    };
  }

  /** Undefined for summaries, which the service does not use, and for metrics without values. */
  private toData(metric: PrometheusMetric, endTime: HrTime): MetricData | undefined {
    const { AggregationTemporality, DataPointType } = this.sdk;
    const common = {
      // 1 is ValueType.DOUBLE, which can hold every Prometheus value.
      descriptor: { name: metric.name, description: metric.help, unit: '', valueType: 1 },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    const point = <T>(labels: Labels, value: T): DataPoint<T> => ({
      startTime: this.startTime,
      endTime,
      attributes: attributesOf(labels),
      value,
    });
    const numbers = metric.values
      .filter(({ value }) => Number.isFinite(value))
      .map(({ labels, value }) => point(labels, value));
    if (numbers.length === 0) return undefined;
    // The declared types are numbers, but the values are words.
    switch (String(metric.type)) {
      case 'counter':
        return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers };
      case 'gauge':
        return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: numbers };
      case 'histogram':
        return {
          ...common,
          dataPointType: DataPointType.HISTOGRAM,
          dataPoints: histogramsOf(metric).map(({ labels, value }) => point(labels, value)),
        };
      default:
        return undefined;
    }
  }
}

/**
 * One histogram for each combination of labels. The buckets of Prometheus are cumulative, those of OpenTelemetry are
 * not.
 */
function histogramsOf({ name, values }: PrometheusMetric): { labels: Labels; value: Histogram }[] {
  const found = new Map<string, { labels: Labels; value: Histogram; below: number }>();
  for (const { metricName, labels, value } of values) {
    const { le, ...others } = labels as Labels & { le?: string | number };
    const key = JSON.stringify(others);
    const one = getOrCreate(found, key, () => ({ labels: others, value: emptyHistogram(), below: 0 }));
    if (metricName === `${name}_sum`) one.value.sum = value;
    else if (metricName === `${name}_count`) one.value.count = value;
    else {
      one.value.buckets.counts.push(value - one.below);
      if (le !== '+Inf') one.value.buckets.boundaries.push(Number(le));
      one.below = value;
    }
  }
  return [...found.values()];
}

const emptyHistogram = (): Histogram => ({ buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 });

const attributesOf = (labels: Labels): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));

const toHrTime = (milliseconds: number): HrTime => {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
};
