import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the networks' private endpoints and fallback, and the block since which a transaction has been sent privately.
 */
export class AddPrivateSending1795000041000 implements MigrationInterface {
  /** MySQL cannot roll back schema changes, so each step skips what an interrupted attempt has already done. */
  async up(queryRunner: QueryRunner): Promise<void> {
    // Does not use TypeORM, which copies the table on SQLite; rows that refer to it do not allow that.
    for (const [table, column, type] of columnsOn(queryRunner))
      if (!(await queryRunner.hasColumn(table, column)))
        await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type} NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of columnsOn(queryRunner).toReversed())
      if (await queryRunner.hasColumn(table, column))
        await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}

type NewColumn = readonly [table: string, column: string, type: string];

function columnsOn({ dataSource }: QueryRunner): readonly NewColumn[] {
  const isSqlite = dataSource.options.type === 'better-sqlite3';
  return [
    ['networks', 'private_rpc_urls', isSqlite ? 'text' : 'text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'],
    ['networks', 'private_fallback_blocks', isSqlite ? 'integer' : 'int'],
    ['transactions', 'signed_block', 'bigint'],
  ];
}
