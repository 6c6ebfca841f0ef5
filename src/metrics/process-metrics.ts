import { collectDefaultMetrics, type Registry } from 'prom-client';

/**
 * Gauges whose names end in `_total`, which Prometheus reserves for counters. The gauges by `type` contain the same
 * numbers.
 */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Memory, CPU time, event loop and garbage collection of the process. */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}
