import type { SelectQueryBuilder } from 'typeorm';
import { countWithin } from '../database/count-within';
import type { AuditEventEntity } from './audit-event.entity';

/** Changes of the events that are read at once; a single event may have more. @limit Audit log */
const MAX_PART_BYTES = 8 * 1024 * 1024;

/** A part of the events, and whether it is the last one. */
export interface AuditPart {
  events: AuditEventEntity[];
  isLast: boolean;
}

/** Reads the first events of an ordered selection: at most `limit`, and fewer if they are large. */
export async function readPart(
  selection: SelectQueryBuilder<AuditEventEntity>,
  limit: number,
): Promise<AuditPart> {
  const count = await countWithin(selection, { limit, bytes: MAX_PART_BYTES, columns: ['changes'] });
  // One more row shows whether any events follow.
  const found = await selection.limit(count + 1).getMany();
  return { events: found.slice(0, count), isLast: found.length <= count };
}
