import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './create-table';

export class CreateRpcUnfinishedCalls1795000034000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'rpc_unfinished_calls',
      columns: [
        { name: 'origin', type: 'varchar', length: '300', isPrimary: true },
        { name: 'attempts', type: 'integer' },
        { name: 'started_at', type: 'datetime', precision: 6 },
      ],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('rpc_unfinished_calls');
  }
}
