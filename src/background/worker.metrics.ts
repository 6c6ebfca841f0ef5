import { Injectable, Logger } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { causeOf } from '../common/errors/error-cause';

/**
 * How long the result of a query is reused: the metrics are public and not rate-limited, and may be scraped at any
 * frequency.
 */
const SHARED_FOR_MS = 5000;

/** Returns how long the oldest due row has been waiting, in seconds. */
export type ReadLag = () => Promise<number>;

/** Metrics of background work: its delay, and the number of claims. The names of workers are a closed set. */
@Injectable()
export class WorkerMetrics {
  private readonly logger = new Logger(WorkerMetrics.name);
  private readonly claimed: Counter<'worker'>;
  private readonly lost: Counter<'worker'>;
  private readonly lag: Gauge<'worker'>;
  private readonly workers = new Map<string, ReadLag>();
  private reading: Promise<unknown> = Promise.resolve();
  private readAt = -Infinity;

  constructor(registry: Registry) {
    const labelNames = ['worker'] as const;
    const registers = [registry];
    this.claimed = new Counter({
      name: 'background_rows_claimed_total',
      help: 'Rows that this instance has claimed',
      labelNames,
      registers,
    });
    this.lost = new Counter({
      name: 'background_lost_results_total',
      help: 'Results that were not saved because the row was claimed, changed or deleted meanwhile',
      labelNames,
      registers,
    });
    this.lag = new Gauge({
      name: 'background_oldest_due_seconds',
      help: 'How long the oldest due row has waited; no value without a database',
      labelNames,
      // All processes read the same table.
      aggregator: 'max',
      registers,
      collect: () => this.readOnce(),
    });
  }

  /** Adds a worker, whose counters start at 0: a rate ignores the increase of a series whose first value is 1. */
  add(worker: string, lag: ReadLag): void {
    this.workers.set(worker, lag);
    this.claimed.inc({ worker }, 0);
    this.lost.inc({ worker }, 0);
  }

  countClaimed(worker: string, rows: number): void {
    this.claimed.inc({ worker }, rows);
  }

  countLost(worker: string): void {
    this.lost.inc({ worker });
  }

  private async readOnce(): Promise<void> {
    if (performance.now() - this.readAt > SHARED_FOR_MS) {
      this.readAt = performance.now();
      this.reading = Promise.all([...this.workers].map(([worker, lag]) => this.read(worker, lag)));
    }
    await this.reading;
  }

  private async read(worker: string, lag: ReadLag): Promise<void> {
    this.lag.remove({ worker });
    try {
      this.lag.set({ worker }, await lag());
    } catch (error) {
      this.logger.warn('The oldest due row could not be read', { worker, cause: causeOf(error) });
    }
  }
}
