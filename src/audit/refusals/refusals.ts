import { Injectable, Logger } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { causeOf } from '../../common/errors/error-cause';
import type { AuditCaller, AuditEntry } from '../audit-entry';
import { AuditLog } from '../audit-log';
import { Allowance } from './allowance';

/** Refused requests that a process records in each second, and at once after a quiet time. @limit Audit log */
const PER_SECOND = 10;
/** Refused requests that a process records at once, after a quiet time. @limit Audit log */
const BURST = 100;

/**
 * Records refused requests. Anybody can cause them, so no request waits for their rows, and only some of them are
 * recorded; the rest are counted.
 */
@Injectable()
export class Refusals {
  private readonly logger = new Logger(Refusals.name);
  private readonly allowance = new Allowance(PER_SECOND, BURST);
  private readonly dropped: Counter;
  private readonly inProgress = new Set<Promise<void>>();

  constructor(
    private readonly audit: AuditLog,
    registry: Registry,
  ) {
    this.dropped = new Counter({
      name: 'audit_refusals_dropped_total',
      help: 'Refused requests that were not recorded in the audit log, because there were too many or the database failed',
      registers: [registry],
    });
  }

  /** Returns immediately and does not throw. */
  record(entry: AuditEntry, caller?: AuditCaller): void {
    if (!this.allowance.take()) {
      this.dropped.inc();
      return;
    }
    const recorded = this.tryToRecord(entry, caller).finally(() => this.inProgress.delete(recorded));
    this.inProgress.add(recorded);
  }

  private async tryToRecord(entry: AuditEntry, caller?: AuditCaller): Promise<void> {
    try {
      await this.audit.record(entry, caller);
    } catch (error) {
      this.dropped.inc();
      const { action, code } = entry;
      this.logger.warn('A refused request was not recorded', { action, code, cause: causeOf(error) });
    }
  }

  /** Resolves once all rows are committed, or have failed. */
  async settled(): Promise<void> {
    await Promise.all(this.inProgress);
  }
}
