import { Gauge, type Registry } from 'prom-client';

/** Registers what the primary alone knows: in each other process it is 0, and the largest counts for the service. */
export const silentProcesses = (registry: Registry): Gauge =>
  new Gauge({
    name: 'cluster_silent_processes',
    help: 'Processes of the service that did not answer when this was asked for: their figures are older',
    aggregator: 'max',
    registers: [registry],
  });
