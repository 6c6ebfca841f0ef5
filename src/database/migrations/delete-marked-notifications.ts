import type { QueryRunner } from 'typeorm';

/**
 * Deletes the notifications for which a column is set, with their deliveries, before the column is dropped: a version
 * without it would show them, and could not delete them. Foreign keys do not delete the deliveries, because SQLite
 * ignores them in a migration.
 */
export async function deleteMarkedNotifications(queryRunner: QueryRunner, column: string): Promise<void> {
  if (!(await queryRunner.hasColumn('notifications', column))) return;
  const marked = `${column} IS NOT NULL`;
  const deliveries = `notification_id IN (SELECT id FROM notifications WHERE ${marked})`;
  await queryRunner.query(
    `DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE ${deliveries})`,
  );
  await queryRunner.query(`DELETE FROM deliveries WHERE ${deliveries}`);
  await queryRunner.query(`DELETE FROM notifications WHERE ${marked}`);
}
