import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { gaugeAtScrape } from '../../database/read-at-scrape';

/** Metrics of how well the audit sink keeps up. */
@Injectable()
export class AuditExportMetrics {
  private readonly exported: Counter;
  private readonly failures: Counter;
  private readLag: (() => Promise<number>) | undefined;

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
    gaugeAtScrape(registry, {
      name: 'audit_export_lag_seconds',
      help: 'Age of the oldest audit event that the sink has not received; no value without a sink or a database',
      what: 'The lag of the audit sink',
      read: async () => this.readLag?.(),
    });
  }

  /** @param read returns the lag in seconds */
  watch(read: () => Promise<number>): void {
    this.readLag = read;
  }

  countExported(events: number): void {
    this.exported.inc(events);
  }

  countFailure(): void {
    this.failures.inc();
  }
}
