import { type MigrationInterface, type QueryRunner, TableColumn, type TableColumnOptions } from 'typeorm';
import { forDatabase } from './create-table';

const PLAIN = { name: 'url', type: 'varchar', length: '2048' };
const SEALED = { name: 'url', type: 'text' };

/**
 * Makes room for encrypted URLs. The service, which has the storage key, encrypts stored URLs when it adopts the rows.
 * On MySQL, `down` fails for an encrypted URL that is too long for the old column instead of truncating it.
 */
export class WidenNotificationUrls1795000033100 implements MigrationInterface {
  up(queryRunner: QueryRunner): Promise<void> {
    return changeUrl(queryRunner, SEALED);
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return changeUrl(queryRunner, PLAIN);
  }
}

async function changeUrl(queryRunner: QueryRunner, column: TableColumnOptions): Promise<void> {
  const isSqlite = queryRunner.dataSource.options.type === 'better-sqlite3';
  if (isSqlite) {
    await queryRunner.changeColumn('notifications', 'url', new TableColumn(column));
    return;
  }
  // TypeORM changes a type by dropping the column along with its data.
  const type = column.length === undefined ? column.type : `${column.type}(${column.length})`;
  const { charset, collation } = forDatabase(queryRunner, column);
  await queryRunner.query(
    `ALTER TABLE notifications MODIFY url ${type} CHARACTER SET ${charset} COLLATE ${collation} NOT NULL`,
  );
}
