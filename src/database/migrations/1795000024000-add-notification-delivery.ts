import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns } from './create-table';

const COLUMNS = [
  { name: 'events', type: 'json', isNullable: true },
  { name: 'previous_signing_key', type: 'text', isNullable: true },
  { name: 'previous_key_until', type: 'datetime', precision: 6, isNullable: true },
  { name: 'failing_since', type: 'datetime', precision: 6, isNullable: true },
  { name: 'switched_off_at', type: 'datetime', precision: 6, isNullable: true },
];

/** The columns of a notification that deliveries need. */
export class AddNotificationDelivery1795000024000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, 'notifications', COLUMNS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropColumns(
      'notifications',
      COLUMNS.map(({ name }) => name),
    );
  }
}
