import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** What a part of a list may contain. */
export interface PartLimits {
  /** Rows. */
  limit: number;
  /** The stored size of these columns together. */
  bytes: number;
  columns: readonly string[];
}

/** The size of a row, as drivers return it. */
export interface StoredSize {
  size: number | string;
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
    .getRawMany<StoredSize>();
  return countFitting(sizes, limit, bytes);
}

/** How many of the first rows have at most so many bytes together: at least one; `limit` if all have. */
export function countFitting(sizes: readonly StoredSize[], limit: number, bytes: number): number {
  let sum = 0;
  const end = sizes.findIndex(({ size }) => (sum += Number(size)) > bytes);
  return end < 0 ? limit : Math.max(end, 1);
}
