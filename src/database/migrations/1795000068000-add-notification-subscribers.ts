import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { addIndex, dropColumnInPlace, dropIndex } from './create-table';

const INDEX = new TableIndex({
  name: 'ix_notifications_is_subscriber',
  columnNames: ['is_subscriber', 'deleted_at'],
});
/** The events that are sent regardless of the relayer. Only names of plugins' events contain a dot. */
const SUBSCRIBED = ['%"signer_deleted"%', '%"change_update"%', '%.%'];

/**
 * Marks notifications that name an event that is sent regardless of the relayer. Each step skips what an interrupted
 * attempt has already done.
 */
export class AddNotificationSubscribers1795000068000 implements MigrationInterface {
  /** Does not add the column with TypeORM, which copies the table on SQLite; rows that refer to it do not allow that. */
  async up(queryRunner: QueryRunner): Promise<void> {
    if (!(await queryRunner.hasColumn('notifications', 'is_subscriber')))
      await queryRunner.query(
        'ALTER TABLE notifications ADD COLUMN is_subscriber boolean NOT NULL DEFAULT 0',
      );
    const condition = SUBSCRIBED.map(() => 'events LIKE ?').join(' OR ');
    await queryRunner.query(`UPDATE notifications SET is_subscriber = 1 WHERE ${condition}`, SUBSCRIBED);
    await addIndex(queryRunner, 'notifications', INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndex(queryRunner, 'notifications', INDEX);
    await dropColumnInPlace(queryRunner, 'notifications', 'is_subscriber');
  }
}
