import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumnInPlace } from './create-table';

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
    for (const table of TABLES.toReversed()) await dropColumnInPlace(queryRunner, table, COLUMN.name);
  }
}
