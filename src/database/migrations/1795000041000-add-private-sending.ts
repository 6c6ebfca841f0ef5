import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumnInPlace, dropColumnInPlace } from './create-table';

/**
 * Adds the networks' private endpoints and fallback, and the block since which a transaction has been sent privately.
 */
export class AddPrivateSending1795000041000 implements MigrationInterface {
  /** MySQL cannot roll back schema changes, so each step skips what an interrupted attempt has already done. */
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column, type] of columnsOn(queryRunner))
      await addColumnInPlace(queryRunner, table, column, type);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of columnsOn(queryRunner).toReversed())
      await dropColumnInPlace(queryRunner, table, column);
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
