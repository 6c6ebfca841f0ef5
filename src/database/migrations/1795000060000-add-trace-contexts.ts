import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumnInPlace } from './create-table';

const TABLES = ['deliveries', 'transactions'];
const COLUMN = { name: 'trace_context', type: 'varchar', length: '568', isNullable: true };

/**
 * The traces that deliveries and transactions continue. Existing rows have none. Each step skips what an interrupted
 * attempt has already done.
 */
export class AddTraceContexts1795000060000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await addColumns(queryRunner, table, [COLUMN]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // TypeORM would recreate the tables on SQLite, and rows that refer to them would be deleted along with the old
    // ones.
    for (const table of TABLES.toReversed()) await dropColumnInPlace(queryRunner, table, COLUMN.name);
  }
}
