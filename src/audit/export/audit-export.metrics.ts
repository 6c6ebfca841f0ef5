import { Injectable, Logger } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { causeOf } from '../../common/errors/error-cause';

/** The metrics are public and never limited: however often they are scraped, the database is asked this often. */
const SHARED_FOR_MS = 5000;

/** How well the audit sink keeps up. */
@Injectable()
export class AuditExportMetrics {
  private readonly logger = new Logger(AuditExportMetrics.name);
  private readonly exported: Counter;
  private readonly failures: Counter;
  private readonly lag: Gauge;
  private read: (() => Promise<number>) | undefined;
  private readAt = -Infinity;

  constructor(registry: Registry) {
    const registers = [registry];
    this.exported = new Counter({
      name: 'audit_events_exported_total',
      help: 'Audit events that the sink has taken from this instance, with repetitions',
      registers,
    });
    this.failures = new Counter({
      name: 'audit_export_failures_total',
      help: 'Batches of audit events that the sink did not take in time',
      registers,
    });
    this.lag = new Gauge({
      name: 'audit_export_lag_seconds',
      help: 'Age of the oldest audit event that the sink has not received; no value without a sink or a database',
      aggregator: 'max',
      registers,
      collect: () => this.collect(),
    });
    this.lag.remove();
  }

  /** @param read the lag, in seconds */
  watch(read: () => Promise<number>): void {
    this.read = read;
  }

  countExported(events: number): void {
    this.exported.inc(events);
  }

  countFailure(): void {
    this.failures.inc();
  }

  private async collect(): Promise<void> {
    if (!this.read || performance.now() - this.readAt < SHARED_FOR_MS) return;
    this.readAt = performance.now();
    try {
      this.lag.set(await this.read());
    } catch (error) {
      this.lag.remove();
      this.logger.warn('The lag of the audit sink could not be read', { cause: causeOf(error) });
    }
  }
}
