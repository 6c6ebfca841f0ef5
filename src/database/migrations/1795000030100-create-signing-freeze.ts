import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, idColumn } from './create-table';

export class CreateSigningFreeze1795000030100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'signing_freeze',
      columns: [
        idColumn,
        { name: 'reason', type: 'varchar', length: '255' },
        { name: 'frozen_at', type: 'datetime', precision: 6 },
      ],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('signing_freeze');
  }
}
