import { type QueryRunner, Table, type TableColumnOptions, type TableOptions } from 'typeorm';

const TEXT_TYPES = new Set(['varchar', 'text']);

/**
 * Creates a table whose text columns use a binary collation on every database, so that ids are case-sensitive.
 *
 * MySQL cannot roll back schema changes. The table is therefore created by a single atomic statement; an existing table
 * is left over from a process that was killed before it recorded the migration.
 */
export async function createTable(
  queryRunner: QueryRunner,
  options: TableOptions & { columns: TableColumnOptions[] },
): Promise<void> {
  const columns = options.columns.map((column) => forDatabase(queryRunner, column));
  await queryRunner.createTable(new Table({ ...options, columns }), true);
}

/** The options of a column for this database: text columns get a binary collation. */
export function forDatabase(queryRunner: QueryRunner, column: TableColumnOptions): TableColumnOptions {
  const isSqlite = queryRunner.dataSource.options.type === 'better-sqlite3';
  if (isSqlite || !TEXT_TYPES.has(column.type)) return column;
  return { ...column, charset: 'utf8mb4', collation: 'utf8mb4_bin' };
}

/** The columns that every resource has. */
export const idColumn: TableColumnOptions = { name: 'id', type: 'varchar', length: '36', isPrimary: true };
export const createdAtColumn: TableColumnOptions = { name: 'created_at', type: 'datetime', precision: 6 };
