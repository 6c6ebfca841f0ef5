import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumnInPlace, dropColumnInPlace } from './create-table';

const TABLES = ['signers', 'networks'];

/** Who created signers and networks: an API key that is limited to some relayers may only delete its own. */
export class AddCreators1795000070000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await addColumnInPlace(queryRunner, table, 'created_by', 'varchar(36)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await dropColumnInPlace(queryRunner, table, 'created_by');
  }
}
