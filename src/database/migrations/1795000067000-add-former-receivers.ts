import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { addIndex } from './create-table';

const INDEX = new TableIndex({ name: 'ix_notifications_former_host', columnNames: ['former_host'] });

/** Marks rows of former receivers. Each step skips what an interrupted attempt has already done. */
export class AddFormerReceivers1795000067000 implements MigrationInterface {
  /** Does not add the column with TypeORM, which copies the table on SQLite; rows that refer to it do not allow that. */
  async up(queryRunner: QueryRunner): Promise<void> {
    const isSqlite = queryRunner.dataSource.options.type === 'better-sqlite3';
    const collation = isSqlite ? '' : ' CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
    if (!(await queryRunner.hasColumn('notifications', 'former_host')))
      await queryRunner.query(
        `ALTER TABLE notifications ADD COLUMN former_host varchar(255)${collation} NULL`,
      );
    await addIndex(queryRunner, 'notifications', INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const table = await queryRunner.getTable('notifications');
    if (table?.indices.some(({ name }) => name === INDEX.name))
      await queryRunner.dropIndex('notifications', INDEX);
    if (await queryRunner.hasColumn('notifications', 'former_host'))
      await queryRunner.query('ALTER TABLE notifications DROP COLUMN former_host');
  }
}
