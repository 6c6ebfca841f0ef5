import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createdAtColumn, createTable, idColumn } from './create-table';

export class CreateNotificationEvents1795000022000 implements MigrationInterface {
  readonly name = 'CreateNotificationEvents1795000022000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'notification_events',
      columns: [
        idColumn,
        { name: 'notification_id', type: 'varchar', length: '36' },
        { name: 'event', type: 'varchar', length: '32' },
        { name: 'payload', type: 'json' },
        createdAtColumn,
      ],
      indices: [
        {
          name: 'ix_notification_events_notification_id',
          columnNames: ['notification_id', 'created_at', 'id'],
        },
      ],
      foreignKeys: [
        {
          name: 'fk_notification_events_notification',
          columnNames: ['notification_id'],
          referencedTableName: 'notifications',
          referencedColumnNames: ['id'],
          onDelete: 'CASCADE',
          onUpdate: 'RESTRICT',
        },
      ],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('notification_events');
  }
}
