import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { ReadAtScrape } from '../database/read-at-scrape';

/** Returns how long the oldest due row has been waiting, in seconds. */
export type ReadLag = () => Promise<number>;

/** Metrics of background work: its delay, and the number of claims. The names of workers are a closed set. */
@Injectable()
export class WorkerMetrics {
  private readonly claimed: Counter<'worker'>;
  private readonly lost: Counter<'worker'>;
  private readonly lag: Gauge<'worker'>;
  private readonly workers = new Map<string, ReadAtScrape>();

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
      collect: async () => {
        await Promise.all([...this.workers.values()].map(({ collect }) => collect()));
      },
    });
  }

  /** Adds a worker, whose counters start at 0: a rate ignores the increase of a series whose first value is 1. */
  add(worker: string, lag: ReadLag): void {
    const reset = () => {
      this.lag.remove({ worker });
    };
    const read = async () => {
      this.lag.set({ worker }, await lag());
    };
    this.workers.set(worker, new ReadAtScrape(`The oldest due row of ${worker}`, reset, read));
    this.claimed.inc({ worker }, 0);
    this.lost.inc({ worker }, 0);
  }

  countClaimed(worker: string, rows: number): void {
    this.claimed.inc({ worker }, rows);
  }

  countLost(worker: string): void {
    this.lost.inc({ worker });
  }
}
