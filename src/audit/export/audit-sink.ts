import type { AuditEventEntity } from '../audit-event.entity';

/** Receives every audit event, each at least once, those of a chain in their order. */
export interface AuditSink {
  /**
   * Resolves once the events are where they outlive this process.
   *
   * @param signal ends it, at the latest after a time-out
   */
  write(events: readonly AuditEventEntity[], signal: AbortSignal): Promise<void>;
}
