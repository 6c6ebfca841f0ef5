import { setNewest } from '../../common/set-newest';
import type { ObjectLiteral } from 'typeorm';
import { CUT_OFF, type RawRow, type RowColumns } from './row-columns';

const MAX_ROWS = 2000;
/** Longer rows are not cached, to limit the memory. */
const MAX_LENGTH = 4096;

interface Verified<T> {
  values: readonly unknown[];
  row: T;
}

/**
 * A cache of rows that were checked against their MACs. A row that is read again with the same value in every column,
 * including the MAC, is still intact. The comparison costs a tenth of a check.
 */
export class VerifiedRows<T extends ObjectLiteral> {
  private readonly rows = new Map<string, Verified<T>>();

  /** The cached row, if every column is unchanged since it was checked. */
  find(raw: RawRow, { columns }: RowColumns<T>): T | undefined {
    const known = this.rows.get(raw.id as string);
    if (!known || raw[CUT_OFF]) return undefined;
    for (const [i, { databaseName }] of columns.entries())
      if (comparable(raw[databaseName]) !== known.values[i]) return undefined;
    return known.row;
  }

  add(raw: RawRow, row: T, { columns }: RowColumns<T>): void {
    const id = raw.id as string;
    const values = columns.map(({ databaseName }) => comparable(raw[databaseName]));
    const length = values.reduce<number>(
      (sum, value) => sum + (typeof value === 'string' ? value.length : 8),
      0,
    );
    if (length > MAX_LENGTH) this.rows.delete(id);
    else setNewest(this.rows, id, { values, row }, MAX_ROWS);
  }
}

/** The driver for MySQL and MariaDB parses dates. */
function comparable(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
