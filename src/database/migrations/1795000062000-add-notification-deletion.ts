import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks notifications whose deliveries are being deleted. */
export class AddNotificationDeletion1795000062000 implements MigrationInterface {
  /** Does not use TypeORM, which copies the table on SQLite; rows that refer to it do not allow that. */
  async up(queryRunner: QueryRunner): Promise<void> {
    if (!(await queryRunner.hasColumn('notifications', 'deleted_at')))
      await queryRunner.query('ALTER TABLE notifications ADD COLUMN deleted_at datetime(6) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (await queryRunner.hasColumn('notifications', 'deleted_at'))
      await queryRunner.query('ALTER TABLE notifications DROP COLUMN deleted_at');
  }
}
