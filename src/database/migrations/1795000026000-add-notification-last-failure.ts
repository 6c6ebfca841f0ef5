import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns } from './create-table';

const COLUMN = { name: 'last_failed_at', type: 'datetime', precision: 6, isNullable: true };

/** Distinguishes a receiver that keeps failing from one that failed long ago and has not been called since. */
export class AddNotificationLastFailure1795000026000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, 'notifications', [COLUMN]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropColumn('notifications', COLUMN.name);
  }
}
