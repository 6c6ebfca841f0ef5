import type { DataSource, QueryRunner } from 'typeorm';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../../test/support/databases';
import { until } from '../../test/support/private-servers';
import { parseDatabaseUrl } from '../config/database-url';
import { createDataSource, dataSourceOptions } from './data-source';
import { driverCodeOf } from './drivers/driver-errors';
import { UnitOfWork } from './unit-of-work';

const LOCKING = "SELECT number FROM things WHERE name = 'b' FOR UPDATE";

describeWithMariaDb('A unit of work that waits for a lock', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let holder: QueryRunner;
  let attempts: number;

  const count = async (name: string): Promise<void> => {
    await unitOfWork.manager.query('UPDATE things SET number = number + 1 WHERE name = ?', [name]);
  };
  /** Changes the free row, then waits for the locked one. */
  const work = async (): Promise<void> => {
    attempts += 1;
    await count('a');
    await unitOfWork.manager.query(LOCKING);
    await count('b');
  };
  const numbers = async (): Promise<number[]> => {
    const rows = await dataSource.query<{ number: number }[]>('SELECT number FROM things ORDER BY name');
    return rows.map(({ number }) => number);
  };

  beforeEach(async () => {
    database = await createMariaDb();
    dataSource = await createDataSource(dataSourceOptions(parseDatabaseUrl(database.url), [])).initialize();
    await dataSource.query('CREATE TABLE things (name varchar(9) PRIMARY KEY, number int NOT NULL)');
    await dataSource.query("INSERT INTO things VALUES ('a', 0), ('b', 0)");
    unitOfWork = new UnitOfWork(dataSource);
    attempts = 0;
    holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(LOCKING);
  });

  afterEach(async () => {
    await holder.release();
    await dataSource.destroy();
    await database.drop();
  });

  it('runs again after the lock timeout, and stores its changes once', async () => {
    const done = unitOfWork.run(work);
    await until('the second attempt', () => Promise.resolve(attempts === 2));
    await holder.rollbackTransaction();
    await done;
    expect(await numbers()).toEqual([1, 1]);
  });

  it('fails with the lock timeout while the lock is held, and leaves nothing locked or waiting', async () => {
    const keep = setInterval(() => void holder.query('SELECT 1'), 1000);
    const codes = await Promise.all([
      unitOfWork.run(work).then(() => 'done', driverCodeOf),
      unitOfWork.runStatement(() => count('b')).then(() => 'done', driverCodeOf),
    ]);
    clearInterval(keep);
    expect(codes).toEqual(['ER_LOCK_WAIT_TIMEOUT', 'ER_LOCK_WAIT_TIMEOUT']);
    const waiting = await dataSource.query<unknown[]>(
      'SELECT info FROM information_schema.processlist' +
        " WHERE db = DATABASE() AND command <> 'Sleep' AND id <> CONNECTION_ID()",
    );
    expect(waiting).toEqual([]);
    await dataSource.query("SELECT number FROM things WHERE name = 'a' FOR UPDATE NOWAIT");
    await holder.rollbackTransaction();
    expect(await numbers()).toEqual([0, 0]);
  });
});
