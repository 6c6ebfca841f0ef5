import { type QueryRunner, Table, type TableColumnOptions, type TableIndexOptions } from 'typeorm';

/**
 * Creates a table whose text columns compare byte by byte on every database, so that ids which differ in case
 * are different ids.
 */
export async function createTable(
  queryRunner: QueryRunner,
  name: string,
  columns: TableColumnOptions[],
  indices: TableIndexOptions[],
): Promise<void> {
  await queryRunner.createTable(new Table({ name, columns, indices }));
  if (queryRunner.dataSource.options.type !== 'better-sqlite3') {
    await queryRunner.query(`ALTER TABLE \`${name}\` CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  }
}

/** Columns that every resource has. */
export const idColumn: TableColumnOptions = { name: 'id', type: 'varchar', length: '36', isPrimary: true };
export const createdAtColumn: TableColumnOptions = { name: 'created_at', type: 'datetime', precision: 6 };
