import { DataSource } from 'typeorm';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../../test/support/databases';
import { parseDatabaseUrl } from '../config/database-url';
import { createDataSource, dataSourceOptions } from './data-source';
import { limitStatements } from './drivers/mysql/mysql-query-runner';
import { SharedUnits } from './shared-units';
import { UnitOfWork } from './unit-of-work';

describeWithMariaDb('SharedUnits on a server', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let units: SharedUnits;
  let count: (name: string) => Promise<string>;

  beforeEach(async () => {
    database = await createMariaDb();
    const options = dataSourceOptions(parseDatabaseUrl(database.url), []);
    dataSource = limitStatements(await createDataSource(options).initialize(), 60_000);
    await dataSource.query('CREATE TABLE things (name varchar(40) PRIMARY KEY, number int NOT NULL)');
    await dataSource.query("INSERT INTO things VALUES ('a', 0), ('b', 0), ('c', 0)");
    unitOfWork = new UnitOfWork(dataSource);
    units = new SharedUnits(unitOfWork);
    count = counting();
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const counting = () =>
    units.of(async (names: readonly string[]) => {
      const { manager, forUpdate } = unitOfWork;
      const which = `WHERE name IN (${names.map(() => '?').join(', ')})`;
      await manager.query(`SELECT number FROM things ${which}${forUpdate}`, [...names]);
      await manager.query(`UPDATE things SET number = number + 1 ${which}`, [...names]);
      return names;
    });

  it('do not wait for a locked row that another unit needs', async () => {
    const other = dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query("SELECT number FROM things WHERE name = 'a' FOR UPDATE");
    let isLockedDone = false;
    const locked = count('a').then(() => {
      isLockedDone = true;
    });
    await Promise.all([count('b'), count('c')]);
    await Promise.all([count('b'), count('c')]);
    expect(isLockedDone).toBe(false);
    await other.commitTransaction();
    await other.release();
    await locked;
    const things = await dataSource.query<unknown[]>('SELECT name, number FROM things ORDER BY name');
    expect(things).toEqual([
      { name: 'a', number: 1 },
      { name: 'b', number: 2 },
      { name: 'c', number: 2 },
    ]);
    // A statement that waits for a row is aborted after 20 seconds.
  }, 8_000);
});
