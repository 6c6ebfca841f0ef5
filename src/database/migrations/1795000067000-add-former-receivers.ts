import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { addColumnInPlace, addIndex, dropColumnInPlace, dropIndex } from './create-table';
import { deleteMarkedNotifications } from './delete-marked-notifications';

const INDEX = new TableIndex({ name: 'ix_notifications_former_host', columnNames: ['former_host'] });

/** Marks rows of former receivers. Each step skips what an interrupted attempt has already done. */
export class AddFormerReceivers1795000067000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const isSqlite = queryRunner.dataSource.options.type === 'better-sqlite3';
    const collation = isSqlite ? '' : ' CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
    await addColumnInPlace(queryRunner, 'notifications', 'former_host', `varchar(255)${collation}`);
    await addIndex(queryRunner, 'notifications', INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await deleteMarkedNotifications(queryRunner, 'former_host');
    await dropIndex(queryRunner, 'notifications', INDEX);
    await dropColumnInPlace(queryRunner, 'notifications', 'former_host');
  }
}
