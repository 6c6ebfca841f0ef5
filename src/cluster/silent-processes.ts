import { Gauge, type Registry } from 'prom-client';

/** Registers what the primary alone knows: in each other process it is 0, and the largest counts for the service. */
export const silentProcesses = (registry: Registry): Gauge =>
  new Gauge({
    name: 'cluster_silent_processes',
    help: 'Processes of the service that did not respond in time; their values are the last that they sent',
    aggregator: 'max',
    registers: [registry],
  });
