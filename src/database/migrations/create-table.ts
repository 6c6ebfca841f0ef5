import { type QueryRunner, Table, type TableColumnOptions, type TableOptions } from 'typeorm';

const TEXT_TYPES = new Set(['varchar', 'text']);

/**
 * Creates a table whose text columns compare byte by byte on every database, so that ids which differ in case are
 * different ids.
 *
 * MySQL cannot undo a change of schema. There the table appears by one statement, whole or not at all; a table
 * that is there already is left by a start that was killed before it noted the migration.
 */
export async function createTable(
  queryRunner: QueryRunner,
  options: TableOptions & { columns: TableColumnOptions[] },
): Promise<void> {
  const columns = options.columns.map((column) => forDatabase(queryRunner, column));
  await queryRunner.createTable(new Table({ ...options, columns }), true);
}

/** A column as this database wants it: texts compare byte by byte. */
export function forDatabase(queryRunner: QueryRunner, column: TableColumnOptions): TableColumnOptions {
  const isSqlite = queryRunner.dataSource.options.type === 'better-sqlite3';
  if (isSqlite || !TEXT_TYPES.has(column.type)) return column;
  return { ...column, charset: 'utf8mb4', collation: 'utf8mb4_bin' };
}

/** Columns that every resource has. */
export const idColumn: TableColumnOptions = { name: 'id', type: 'varchar', length: '36', isPrimary: true };
export const createdAtColumn: TableColumnOptions = { name: 'created_at', type: 'datetime', precision: 6 };
