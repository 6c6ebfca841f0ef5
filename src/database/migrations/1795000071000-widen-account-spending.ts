import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';

const TABLE = 'account_spending';

/**
 * Makes room for the sum of any number of the largest values. On MySQL, `down` fails for a sum that is too long for the
 * old columns instead of truncating it; SQLite does not limit the length of text.
 */
export class WidenAccountSpending1795000071000 implements MigrationInterface {
  up(queryRunner: QueryRunner): Promise<void> {
    return setLength(queryRunner, 96);
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return setLength(queryRunner, 80);
  }
}

async function setLength(queryRunner: QueryRunner, length: number): Promise<void> {
  if (queryRunner.dataSource.options.type === 'better-sqlite3') {
    for (const name of ['value', 'fee'])
      await queryRunner.changeColumn(
        TABLE,
        name,
        new TableColumn({ name, type: 'varchar', length: `${length}` }),
      );
    return;
  }
  const type = `varchar(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL`;
  // TypeORM changes a type by dropping the column along with its data.
  await queryRunner.query(`ALTER TABLE ${TABLE} MODIFY value ${type}, MODIFY fee ${type}`);
}
