import type { EntityManager } from 'typeorm';

/**
 * Rows that one statement reads at most, however many its table has: a scan of a large table would exceed the statement
 * timeout.
 */
export const ROWS_PER_STATEMENT = 5_000;

/** Rows whose ids are above `after`, and at most `upTo`; the last range has no end. */
export interface IdRange {
  readonly after: string;
  readonly upTo: string | undefined;
}

/** Divides a table into ranges of at most {@link ROWS_PER_STATEMENT} rows, in the order of their ids. */
export async function* idRanges(manager: EntityManager, table: string): AsyncGenerator<IdRange, void> {
  const statement =
    `SELECT id FROM ${manager.dataSource.driver.escape(table)} ` +
    `WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${ROWS_PER_STATEMENT - 1}`;
  for (let after = ''; ;) {
    const [last] = await manager.query<{ id: string }[]>(statement, [after]);
    yield { after, upTo: last?.id };
    if (!last) return;
    after = last.id;
  }
}

/** The condition for the rows of a range, with its parameters. */
export const inRange = ({ after, upTo }: IdRange): { condition: string; parameters: string[] } =>
  upTo === undefined
    ? { condition: 'id > ?', parameters: [after] }
    : { condition: 'id > ? AND id <= ?', parameters: [after, upTo] };
