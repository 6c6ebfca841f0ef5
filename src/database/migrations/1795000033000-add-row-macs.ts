import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns } from './create-table';

const TABLES = ['signers', 'notifications', 'networks', 'relayers'];
const COLUMN = { name: 'mac', type: 'varchar', length: '80', isNullable: true };

/**
 * Adds the column for the MAC of each row. The service, which has the storage key, computes the MACs when it adopts the
 * rows.
 */
export class AddRowMacs1795000033000 implements MigrationInterface {
  /** MySQL cannot roll back schema changes, so each step skips what an interrupted attempt has already done. */
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await addColumns(queryRunner, table, [COLUMN]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES.toReversed())
      // Does not use TypeORM, which copies the table on SQLite; rows that refer to it do not allow that.
      if (await queryRunner.hasColumn(table, COLUMN.name))
        await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN ${COLUMN.name}`);
  }
}
