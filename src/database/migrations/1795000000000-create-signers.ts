import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createdAtColumn, createTable, idColumn } from './create-table';

export class CreateSigners1795000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'signers',
      columns: [
        idColumn,
        { name: 'kind', type: 'varchar', length: '32' },
        { name: 'settings', type: 'json' },
        { name: 'secret', type: 'text', isNullable: true },
        createdAtColumn,
      ],
      indices: [{ name: 'ix_signers_created_at', columnNames: ['created_at', 'id'] }],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('signers');
  }
}
