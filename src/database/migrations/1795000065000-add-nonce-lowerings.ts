import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns } from './create-table';

/** The default keeps the ledgers valid that instances of the version before create. */
const COLUMN = { name: 'lowerings', type: 'integer', default: 0 };

/** Counts how often a ledger was lowered, so that a nonce that was read before does not raise it again. */
export class AddNonceLowerings1795000065000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, 'account_nonces', [COLUMN]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropColumn('account_nonces', COLUMN.name);
  }
}
