import {
  type MigrationInterface,
  type QueryRunner,
  Table,
  TableColumn,
  type TableColumnOptions,
  type TableForeignKeyOptions,
  type TableIndex,
  type TableOptions,
} from 'typeorm';

const TEXT_TYPES = new Set(['varchar', 'text']);

export type NewTable = Parameters<typeof createTable>[1];

/** Creates a table, as {@link createTable} does. */
export abstract class CreateTableMigration implements MigrationInterface {
  abstract readonly table: NewTable;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, this.table);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropTable(queryRunner, this.table.name);
  }
}

/** Adds columns, and an index if there is one. Each step skips what an interrupted attempt has already done. */
export abstract class AddColumnsMigration implements MigrationInterface {
  abstract readonly table: string;
  abstract readonly columns: TableColumnOptions[];
  readonly index?: TableIndex;

  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, this.table, this.columns);
    if (this.index) await addIndex(queryRunner, this.table, this.index);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (this.index) await dropIndex(queryRunner, this.table, this.index);
    await dropColumns(queryRunner, this.table, this.columns);
  }
}

/**
 * Creates a table whose text columns use a binary collation on every database, so that ids are case-sensitive.
 *
 * MySQL cannot roll back schema changes. The table is therefore created by a single atomic statement; an existing table
 * is left over from a process that was killed before it recorded the migration.
 *
 * @throws Error if a foreign key sets a column to null that is not nullable
 */
export async function createTable(
  queryRunner: QueryRunner,
  options: TableOptions & { columns: TableColumnOptions[] },
): Promise<void> {
  assertNullable(options);
  const columns = options.columns.map((column) => forDatabase(queryRunner, column));
  await queryRunner.createTable(new Table({ ...options, columns }), true);
}

/** SQLite creates such a table, and refuses every deletion of a row that the foreign key refers to. */
function assertNullable({ name, columns, foreignKeys = [] }: TableOptions): void {
  const cleared = foreignKeys
    .filter(({ onDelete }) => onDelete === 'SET NULL')
    .flatMap((key) => key.columnNames);
  const column = columns?.find((each) => cleared.includes(each.name) && each.isNullable !== true);
  if (column)
    throw new Error(
      `The column ${column.name} of the table ${name} must be nullable, because a foreign key sets it to null`,
    );
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

/**
 * Adds a nullable column unless an interrupted attempt has added it. On SQLite, TypeORM would copy the table, which rows
 * that refer to it do not allow.
 */
export async function addColumnInPlace(
  queryRunner: QueryRunner,
  table: string,
  column: string,
  type: string,
): Promise<void> {
  if (!(await queryRunner.hasColumn(table, column)))
    await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type} NULL`);
}

/** Drops a column if it is there, without TypeORM for the same reason as {@link addColumnInPlace}. */
export async function dropColumnInPlace(
  queryRunner: QueryRunner,
  table: string,
  column: string,
): Promise<void> {
  if (await queryRunner.hasColumn(table, column))
    await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
}

/** Adds an index unless an interrupted attempt has added it. */
export async function addIndex(queryRunner: QueryRunner, table: string, index: TableIndex): Promise<void> {
  const found = await queryRunner.getTable(table);
  if (!found?.indices.some(({ name }) => name === index.name)) await queryRunner.createIndex(table, index);
}

/** Drops a table unless an interrupted attempt has dropped it. */
export async function dropTable(queryRunner: QueryRunner, table: string): Promise<void> {
  await queryRunner.dropTable(table, true);
}

/** Drops the columns that a table has; an interrupted attempt may have dropped some. */
export async function dropColumns(
  queryRunner: QueryRunner,
  table: string,
  columns: readonly { name: string }[],
): Promise<void> {
  const found = await queryRunner.getTable(table);
  const names = columns.map(({ name }) => name).filter((name) => found?.findColumnByName(name));
  if (names.length > 0) await queryRunner.dropColumns(table, names);
}

/** Drops an index unless an interrupted attempt has dropped it. */
export async function dropIndex(queryRunner: QueryRunner, table: string, index: TableIndex): Promise<void> {
  const found = await queryRunner.getTable(table);
  if (found?.indices.some(({ name }) => name === index.name)) await queryRunner.dropIndex(table, index);
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
