import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../../test/support/databases';
import { parseDatabaseUrl } from '../config/database-url';
import { dataSourceOptions } from './data-source';
import { limitStatements } from './drivers/mysql/mysql-query-runner';
import { migrate } from './migrate';
import { addIndex } from './migrations/create-table';
import { mayPass } from './start-retries';

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

class LongMigration1795000000002 extends SlowMigration1795000000001 {
  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT SLEEP(3)');
  }
}

class RefusedMigration1795000000003 extends SlowMigration1795000000001 {
  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE refused (id int, id int)');
  }
}

class IndexMigration1795000000004 extends SlowMigration1795000000001 {
  override async up(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'large_table', new TableIndex({ name: 'ix_large_table', columnNames: ['id'] }));
  }
}

const isIndexing = async (dataSource: DataSource): Promise<boolean> =>
  (await dataSource.query<object[]>('SHOW PROCESSLIST')).some((process) =>
    String((process as { Info?: string }).Info).startsWith('CREATE INDEX'),
  );

/** As the operating system does when a process dies. */
function closeConnections({ driver }: DataSource): void {
  interface Connection {
    stream: { destroy(): void };
  }
  const { pool } = driver as unknown as { pool: { _allConnections: { toArray(): Connection[] } } };
  for (const { stream } of pool._allConnections.toArray()) stream.destroy();
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

  it('keep their lock although the server soon closes idle connections', async () => {
    const options = dataSourceOptions(parseDatabaseUrl(database.url), []);
    const patient = limitStatements(
      await new DataSource({ ...options, migrations: [] }).initialize(),
      10_000,
    );
    const { pool } = patient.driver as unknown as { pool: { on(event: string, listener: unknown): void } };
    const SHORT = 'SET SESSION wait_timeout = 1';
    pool.on('connection', (connection: { query(statement: string): void }) => {
      connection.query(SHORT);
    });
    await patient.query(SHORT);
    const set = { owner: 'a plugin', table: 'long_migrations', migrations: [LongMigration1795000000002] };
    const first = migrate(patient, [set]);
    await sleep(2000);
    await Promise.all([first, migrate(patient, [set])]);
    expect(await patient.query('SELECT COUNT(*) AS n FROM long_migrations')).toEqual([{ n: '1' }]);
    await patient.destroy();
  });

  it('of another instance are waited for once, and a statement that is refused is not repeated', async () => {
    const holder = limited.createQueryRunner();
    await holder.query("SELECT GET_LOCK(CONCAT(LEFT(DATABASE(), 48), '.migrations'), 0)");
    const patient = limitStatements(Object.create(limited) as DataSource, 10_000);
    const failure = async (migrated: Promise<void>): Promise<unknown> =>
      migrated.catch((error: unknown) => error);
    const waited = await failure(migrate(patient, [], 5));
    expect(waited).toMatchObject({
      faults: ['Another instance has been migrating the database for 5 seconds'],
    });
    expect(mayPass(waited)).toBe(false);
    await holder.query("SELECT RELEASE_LOCK(CONCAT(LEFT(DATABASE(), 48), '.migrations'))");
    await holder.release();
    const set = {
      owner: 'a plugin',
      table: 'refused_migrations',
      migrations: [RefusedMigration1795000000003],
    };
    const refused = await failure(migrate(limited, [set]));
    expect(refused).toMatchObject({ code: 'ER_DUP_FIELDNAME' });
    expect(mayPass(refused)).toBe(false);
  }, 20_000);

  it('hold their lock as long as the server executes a statement, even if its client has ended', async () => {
    const options = { ...dataSourceOptions(parseDatabaseUrl(database.url), []), migrations: [] };
    const ending = await new DataSource(options).initialize();
    await ending.query('CREATE TABLE large_table (id int)');
    await ending.query('INSERT INTO large_table SELECT seq FROM seq_1_to_1000000');
    const set = { owner: 'a plugin', table: 'index_migrations', migrations: [IndexMigration1795000000004] };
    const ended = migrate(ending, [set]).catch((error: unknown) => error);
    while (!(await isIndexing(limited))) await sleep(5);
    closeConnections(ending);
    expect(mayPass(await ended)).toBe(true);
    await ending.destroy();
    await migrate(limited, [set]);
    expect(await limited.query('SELECT COUNT(*) AS n FROM index_migrations')).toEqual([{ n: '1' }]);
  });
});
