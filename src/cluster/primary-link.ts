import cluster from 'node:cluster';
import { Ipc } from './ipc';

/** The way to the primary, in a process of a cluster; undefined where the process is on its own. */
export const primaryLink: Ipc | undefined = cluster.isWorker ? new Ipc(process) : undefined;

/** What is asked of the primary, and by the primary of each process. */
export const QUESTIONS = {
  /** `ChargeQuestion[]` → what `RateLimitStorage.charge` answers to each */
  charge: 'charge',
  /** → the exposition of the whole service */
  exposition: 'exposition',
  /** → a process's own metrics, as JSON */
  metrics: 'metrics',
} as const;
