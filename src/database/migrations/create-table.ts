import {
  type QueryRunner,
  Table,
  TableColumn,
  type TableColumnOptions,
  type TableForeignKeyOptions,
  type TableIndex,
  type TableOptions,
} from 'typeorm';

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

/** Adds the columns that a table does not have; an interrupted attempt may have added some. */
export async function addColumns(
  queryRunner: QueryRunner,
  table: string,
  columns: TableColumnOptions[],
): Promise<void> {
  for (const column of columns)
    if (!(await queryRunner.hasColumn(table, column.name)))
      await queryRunner.addColumn(table, new TableColumn(forDatabase(queryRunner, column)));
}

/** Adds an index unless an interrupted attempt has added it. */
export async function addIndex(queryRunner: QueryRunner, table: string, index: TableIndex): Promise<void> {
  const found = await queryRunner.getTable(table);
  if (!found?.indices.some(({ name }) => name === index.name)) await queryRunner.createIndex(table, index);
}

/** A foreign key to the id of another table. */
export const reference = (
  name: string,
  column: string,
  table: string,
  onDelete: 'CASCADE' | 'RESTRICT' | 'SET NULL',
): TableForeignKeyOptions => ({
  name,
  columnNames: [column],
  referencedTableName: table,
  referencedColumnNames: ['id'],
  onDelete,
  onUpdate: 'RESTRICT',
});

/** The columns that every resource has. */
export const idColumn: TableColumnOptions = { name: 'id', type: 'varchar', length: '36', isPrimary: true };
export const createdAtColumn: TableColumnOptions = { name: 'created_at', type: 'datetime', precision: 6 };
