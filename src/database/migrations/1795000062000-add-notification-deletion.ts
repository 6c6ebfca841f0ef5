import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumnInPlace, dropColumnInPlace } from './create-table';

/** Marks notifications whose deliveries are being deleted. */
export class AddNotificationDeletion1795000062000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumnInPlace(queryRunner, 'notifications', 'deleted_at', 'datetime(6)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropColumnInPlace(queryRunner, 'notifications', 'deleted_at');
  }
}
