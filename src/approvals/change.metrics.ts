import { Injectable, Logger } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { MoreThan } from 'typeorm';
import { causeOf } from '../common/errors/error-cause';
import { ChangeRows } from './change-rows';

/** The metrics are public and never limited: however often they are scraped, the table is read this often. */
const SHARED_FOR_MS = 5000;

/** Changes that wait for approval, read when the metrics are scraped. */
@Injectable()
export class ChangeMetrics {
  private readonly logger = new Logger(ChangeMetrics.name);
  private readonly pending: Gauge;
  private reading: Promise<void> = Promise.resolve();
  private readAt = -Infinity;

  constructor(
    registry: Registry,
    private readonly rows: ChangeRows,
  ) {
    this.pending = new Gauge({
      name: 'changes_pending',
      aggregator: 'max',
      help: 'Changes that wait for approval; all instances show the same',
      registers: [registry],
      collect: () => this.readOnce(),
    });
  }

  private readOnce(): Promise<void> {
    if (performance.now() - this.readAt > SHARED_FOR_MS) {
      this.readAt = performance.now();
      this.reading = this.read();
    }
    return this.reading;
  }

  /** Without a database the gauge has no value. */
  private async read(): Promise<void> {
    this.pending.remove();
    try {
      this.pending.set(await this.rows.count({ status: 'pending', expiresAt: MoreThan(new Date()) }));
    } catch (error) {
      this.logger.warn('Pending changes could not be counted', { cause: causeOf(error) });
    }
  }
}
