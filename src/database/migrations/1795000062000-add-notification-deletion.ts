import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumnInPlace, dropColumnInPlace } from './create-table';
import { deleteMarkedNotifications } from './delete-marked-notifications';

/** Marks notifications whose deliveries are being deleted. */
export class AddNotificationDeletion1795000062000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumnInPlace(queryRunner, 'notifications', 'deleted_at', 'datetime(6)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await deleteMarkedNotifications(queryRunner, 'deleted_at');
    await dropColumnInPlace(queryRunner, 'notifications', 'deleted_at');
  }
}
