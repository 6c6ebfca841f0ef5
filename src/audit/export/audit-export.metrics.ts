import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { ReadAtScrape } from '../../database/read-at-scrape';

/** Metrics of how well the audit sink keeps up. */
@Injectable()
export class AuditExportMetrics {
  private readonly exported: Counter;
  private readonly failures: Counter;
  private readonly lag: Gauge;
  private scrape: ReadAtScrape | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    this.exported = new Counter({
      name: 'audit_events_exported_total',
      help: 'Audit events that the sink has accepted from this instance, repetitions included',
      registers,
    });
    this.failures = new Counter({
      name: 'audit_export_failures_total',
      help: 'Batches of audit events that the sink did not accept in time',
      registers,
    });
    this.lag = new Gauge({
      name: 'audit_export_lag_seconds',
      help: 'Age of the oldest audit event that the sink has not received; no value without a sink or a database',
      aggregator: 'max',
      registers,
      collect: () => this.scrape?.collect(),
    });
    this.lag.remove();
  }

  /** @param read returns the lag in seconds */
  watch(read: () => Promise<number>): void {
    this.scrape = new ReadAtScrape(
      'The lag of the audit sink',
      () => {
        this.lag.remove();
      },
      async () => {
        this.lag.set(await read());
      },
    );
  }

  countExported(events: number): void {
    this.exported.inc(events);
  }

  countFailure(): void {
    this.failures.inc();
  }
}
