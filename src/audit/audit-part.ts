import type { SelectQueryBuilder } from 'typeorm';
import type { AuditEventEntity } from './audit-event.entity';

/** Changes of the events that are read at once; a single event may have more. @limit Audit log */
const MAX_PART_BYTES = 8 * 1024 * 1024;

/** Some events, and whether they are the last ones. */
export interface AuditPart {
  events: AuditEventEntity[];
  isLast: boolean;
}

/** The first events of an ordered selection: at most `limit`, and fewer if they are large. */
export async function readPart(
  selection: SelectQueryBuilder<AuditEventEntity>,
  limit: number,
): Promise<AuditPart> {
  const count = await countWithin(selection, limit);
  // One more row shows whether there are others.
  const found = await selection.limit(count + 1).getMany();
  return { events: found.slice(0, count), isLast: found.length <= count };
}

async function countWithin(selection: SelectQueryBuilder<AuditEventEntity>, limit: number): Promise<number> {
  // TypeORM takes a limit of 0 for none.
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
