import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumnInPlace, dropColumnInPlace } from './create-table';

const TABLES = ['relayers', 'api_keys'];

/** How often relayers and API keys were changed, so that approvals of an earlier state do not apply if it is restored. */
export class AddRevisions1795000072000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await addColumnInPlace(queryRunner, table, 'revision', 'integer');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await dropColumnInPlace(queryRunner, table, 'revision');
  }
}
