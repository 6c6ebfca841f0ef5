import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** What a part of a list may contain. */
export interface PartLimits {
  /** Rows. */
  limit: number;
  /** The stored size of these columns together. */
  bytes: number;
  columns: readonly string[];
}

/** How many of the first rows of an ordered selection are within the limits: at least one, unless `limit` is 0. */
export async function countWithin<T extends ObjectLiteral>(
  selection: SelectQueryBuilder<T>,
  { limit, bytes, columns }: PartLimits,
): Promise<number> {
  // For TypeORM, a limit of 0 means no limit.
  if (limit === 0) return 0;
  const size = columns.map((column) => `COALESCE(OCTET_LENGTH(${selection.alias}.${column}), 0)`);
  const sizes = await selection
    .clone()
    .select(size.join(' + '), 'size')
    .limit(limit)
    .getRawMany<{ size: number | string }>();
  let sum = 0;
  const end = sizes.findIndex((row) => (sum += Number(row.size)) > bytes);
  return end < 0 ? limit : Math.max(end, 1);
}
