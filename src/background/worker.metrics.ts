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
  private readonly lags: ReadAtScrape[] = [];

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
      help: 'How long the oldest due row has waited; no value without a database, or for work that is switched off',
      labelNames,
      // All processes read the same table.
      aggregator: 'max',
      registers,
      collect: () => Promise.all(this.lags.map((lag) => lag.collect())).then(() => undefined),
    });
  }

  /** Adds a worker, whose counters start at 0: a rate ignores the increase of a series whose first value is 1. */
  add(worker: string, lag: ReadLag): void {
    this.lags.push(this.lagOf(worker, lag));
    this.claimed.inc({ worker }, 0);
    this.lost.inc({ worker }, 0);
  }

  countClaimed(worker: string, rows: number): void {
    this.claimed.inc({ worker }, rows);
  }

  countLost(worker: string): void {
    this.lost.inc({ worker });
  }

  private lagOf(worker: string, read: ReadLag): ReadAtScrape {
    return new ReadAtScrape(
      `How late the worker ${worker} is`,
      () => this.lag.remove({ worker }),
      async () => this.lag.set({ worker }, await read()),
    );
  }
}
