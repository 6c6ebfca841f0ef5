import type { AuditCursor } from './audit-cursor';
import type { EventCondition } from './event-conditions';
import { type EventOrder, type Events, sorted } from './event-order';

/**
 * Events that a page reads at most to find those that match several filters; then it ends, and its cursor continues.
 * @limit Audit log
 */
const MAX_SCANNED = 5000;

/** How to find the events that match several conditions. */
export interface Scan {
  /** The condition whose index is read; each event found there is tested for the others. Without one, all events are. */
  by: EventCondition | undefined;
  /** The last event to read; undefined if reading all of them is within the limit. */
  end: AuditCursor | undefined;
}

/**
 * Plans how to read events that match several conditions. Each has an index of its own, but there is none for two of
 * them, so that finding nothing would take a scan of all events with one of them. It would stop the process on SQLite.
 * Chosen is a condition that few events match, or else the one whose first events reach the furthest. A broad condition
 * is not read from its index, but tested for the events in the order of the list.
 *
 * @param range selects the events between the times and after the cursor
 */
export async function planScan(
  range: () => Events,
  conditions: readonly EventCondition[],
  order: EventOrder,
): Promise<Scan> {
  const [only] = conditions;
  if (conditions.length < 2 && !only?.isBroad) return { by: only, end: undefined };
  let best: Scan = { by: undefined, end: undefined };
  for (const condition of conditions) {
    const by = condition.isBroad ? undefined : condition;
    const events = by ? range().andWhere(`${by.column} ${by.test}`, by.parameters) : range();
    const isOrdered = by?.isOrdered ?? true;
    const end = await lastScanned(isOrdered ? sorted(events, order) : events);
    if (!end) return { by, end };
    if (isOrdered && (!best.end || isFurther(end, best.end, order))) best = { by, end };
  }
  return best;
}

/** Read from the index alone. */
async function lastScanned(events: Events): Promise<AuditCursor | undefined> {
  const [last] = await events
    .select(['event.at', 'event.chain', 'event.sequence'])
    .offset(MAX_SCANNED - 1)
    .limit(1)
    .getMany();
  return last;
}

const isFurther = (one: AuditCursor, other: AuditCursor, order: EventOrder): boolean =>
  order === 'ASC' ? one.at > other.at : one.at < other.at;
