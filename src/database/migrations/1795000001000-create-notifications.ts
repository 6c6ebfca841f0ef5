import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createdAtColumn, createTable, idColumn } from './create-table';

export class CreateNotifications1795000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'notifications',
      columns: [
        idColumn,
        { name: 'type', type: 'varchar', length: '16' },
        { name: 'url', type: 'varchar', length: '2048' },
        { name: 'signing_key', type: 'text', isNullable: true },
        createdAtColumn,
      ],
      indices: [{ name: 'ix_notifications_created_at', columnNames: ['created_at', 'id'] }],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('notifications');
  }
}
