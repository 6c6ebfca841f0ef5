import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../../test/support/databases';
import { parseDatabaseUrl } from '../config/database-url';
import { dataSourceOptions } from './data-source';
import { limitStatements } from './drivers/mysql/mysql-query-runner';
import { migrate } from './migrate';

const TIMEOUT_MS = 300;
const SLOW = 'SELECT SLEEP(0.6)';

class SlowMigration1795000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SLOW);
  }

  async down(): Promise<void> {
    // There is nothing to revert.
  }
}

describeWithMariaDb('Migrations', () => {
  let database: TestDatabase;
  let limited: DataSource;

  beforeEach(async () => {
    database = await createMariaDb();
    const options = dataSourceOptions(parseDatabaseUrl(database.url), []);
    limited = limitStatements(await new DataSource({ ...options, migrations: [] }).initialize(), TIMEOUT_MS);
  });

  afterEach(async () => {
    await limited.destroy();
    await database.drop();
  });

  it('may exceed the statement timeout, as large tables are rebuilt', async () => {
    const set = { owner: 'a plugin', table: 'slow_migrations', migrations: [SlowMigration1795000000001] };
    await migrate(limited, [set]);
    await migrate(limited, [set]);
    expect(await limited.query('SELECT COUNT(*) AS n FROM slow_migrations')).toEqual([{ n: '1' }]);
    await expect(limited.query(SLOW)).rejects.toThrow('Statement timed out');
  });
});
