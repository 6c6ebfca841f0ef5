import type { AuditEventEntity } from '../audit-event.entity';

/** Receives every audit event at least once, and the events of a chain in order. */
export interface AuditSink {
  /**
   * Resolves once the events would survive the end of this process.
   *
   * @param signal aborts the write, at the latest after a timeout
   */
  write(events: readonly AuditEventEntity[], signal: AbortSignal): Promise<void>;
}
