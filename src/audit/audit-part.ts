import type { SelectQueryBuilder } from 'typeorm';
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
  const count = await countWithin(selection, limit);
  // One more row shows whether any events follow.
  const found = await selection.limit(count + 1).getMany();
  return { events: found.slice(0, count), isLast: found.length <= count };
}

async function countWithin(selection: SelectQueryBuilder<AuditEventEntity>, limit: number): Promise<number> {
  // For TypeORM, a limit of 0 means no limit.
  if (limit === 0) return 0;
  const sizes = await selection
    .clone()
    .select(`COALESCE(OCTET_LENGTH(${selection.alias}.changes), 0)`, 'size')
    .limit(limit)
    .getRawMany<{ size: number | string }>();
  let bytes = 0;
  const end = sizes.findIndex(({ size }) => (bytes += Number(size)) > MAX_PART_BYTES);
  return end < 0 ? limit : Math.max(end, 1);
}
