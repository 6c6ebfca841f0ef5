import { Gauge, type Registry } from 'prom-client';

/** Registers a gauge that only the primary sets: it is 0 in each worker, and aggregated by maximum. */
export const silentProcesses = (registry: Registry): Gauge =>
  new Gauge({
    name: 'cluster_silent_processes',
    help: 'Processes of the service that did not respond in time; their values are the last that they sent',
    aggregator: 'max',
    registers: [registry],
  });
