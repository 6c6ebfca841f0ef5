import { DataSource, MigrationExecutor } from 'typeorm';
import { ENTITIES } from '../../src/app.entities';
import type { DatabaseSettings } from '../../src/config/app-config';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { describeOnDatabases, type TestDatabase } from '../support/databases';

/** TypeORM compares schemas rightly only when it knows the server: a MariaDB is told from MySQL here. */
function settingsOf(database: TestDatabase): DatabaseSettings {
  return parseDatabaseUrl(database.url.replace(/^mysql:/, 'mariadb:'));
}

describeOnDatabases('Migrations', (createDatabase) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase();
    dataSource = await createDataSource(dataSourceOptions(settingsOf(database), ENTITIES)).initialize();
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const drift = async (): Promise<string[]> =>
    (await dataSource.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);

  const applied = async (): Promise<number> => {
    const runner = dataSource.createQueryRunner();
    const executed = await new MigrationExecutor(dataSource, runner).getExecutedMigrations();
    await runner.release();
    return executed.length;
  };

  it('make the schema that the entities describe', async () => {
    await migrate(dataSource);
    expect(await drift()).toEqual([]);
    expect(await applied()).toBe(MIGRATIONS.length);
  });

  it('run down one by one to nothing, and up again', async () => {
    await migrate(dataSource);
    while ((await applied()) > 0) await dataSource.undoLastMigration({ transaction: 'each' });
    const runner = dataSource.createQueryRunner();
    for (const table of ['relayers', 'notifications', 'signers'])
      expect(await runner.hasTable(table)).toBe(false);
    await runner.release();
    await migrate(dataSource);
    expect(await drift()).toEqual([]);
  });

  it('may run at once from several instances and change nothing the second time', async () => {
    await migrate(dataSource);
    const others = dataSource.options.type === 'better-sqlite3' ? [] : [1, 2, 3];
    await Promise.all([migrate(dataSource), ...others.map(() => migrate(dataSource))]);
    expect(await applied()).toBe(MIGRATIONS.length);
  });

  it('keep a relayer from naming a signer or a notification that is not there', async () => {
    await migrate(dataSource);
    const insert = dataSource.query(
      "INSERT INTO relayers VALUES ('r', 'R', 'n', 'evm', '0x', 'nobody', NULL, 0, 0, NULL, NULL, '{}', '2026-01-01')",
    );
    await expect(insert).rejects.toThrow(/foreign key/i);
  });
});
