import cluster from 'node:cluster';
import { Ipc } from './ipc';

/** The channel to the primary in a worker of a cluster; undefined in a single process. */
export const primaryLink: Ipc | undefined = cluster.isWorker ? new Ipc(process) : undefined;

/** The calls from workers to the primary, and from the primary to workers. */
export const CALLS = {
  /** `ChargeCall[]` → the result of `RateLimitStorage.charge` for each */
  charge: 'charge',
  /** → the metrics exposition of the whole service */
  exposition: 'exposition',
  /** → a worker's own metrics, as JSON */
  metrics: 'metrics',
  /** From the primary to each worker: checks whether its event loop is running */
  ping: 'ping',
  /** From the primary to each worker: `LiveSettings` to apply from now on */
  settings: 'settings',
} as const;
