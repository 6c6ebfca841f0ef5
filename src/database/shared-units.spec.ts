import { DataSource, type DataSourceOptions } from 'typeorm';
import { createSqlite, type TestDatabase } from '../../test/support/databases';
import { parseDatabaseUrl } from '../config/database-url';
import { createDataSource, dataSourceOptions } from './data-source';
import { SharedUnits } from './shared-units';
import { UnitOfWork } from './unit-of-work';

describe('SharedUnits', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let units: SharedUnits;
  let transactions: jest.SpyInstance;
  let done: string[];

  beforeEach(async () => {
    database = await createSqlite();
    const options: DataSourceOptions = dataSourceOptions(parseDatabaseUrl(database.url), []);
    dataSource = await createDataSource(options).initialize();
    await dataSource.query('CREATE TABLE things (name varchar UNIQUE)');
    unitOfWork = new UnitOfWork(dataSource);
    units = new SharedUnits(unitOfWork);
    transactions = jest.spyOn(dataSource, 'transaction');
    done = [];
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const add = (name: string) => (): Promise<string> =>
    units.run(async () => {
      await unitOfWork.manager.query('INSERT INTO things VALUES (?)', [name]);
      unitOfWork.afterCommit(() => done.push(name));
      return `${name} added`;
    });

  const stored = async (): Promise<string[]> =>
    (await dataSource.query<{ name: string }[]>('SELECT name FROM things ORDER BY name')).map(
      ({ name }) => name,
    );

  it('commits concurrent units in one transaction, each with its own result', async () => {
    const results = await Promise.all(['a', 'b', 'c'].map((name) => add(name)()));
    expect(results).toEqual(['a added', 'b added', 'c added']);
    expect(transactions).toHaveBeenCalledTimes(1);
    expect(await stored()).toEqual(['a', 'b', 'c']);
    expect(done).toEqual(['a', 'b', 'c']);
  });

  it('rejects only the unit that fails', async () => {
    await add('b')();
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => add(name)()));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual(['a', 'b', 'c']);
    expect(done).toEqual(['b', 'a', 'c']);
  });

  it('does not run the units again if the commit fails', async () => {
    const runs: string[] = [];
    const failing = (name: string): Promise<void> =>
      units.run(() => {
        runs.push(name);
        unitOfWork.commitHook(units, () => ({
          beforeCommit: () => Promise.reject(new Error('no commit')),
          ended: () => undefined,
        }));
        return Promise.resolve();
      });
    const results = await Promise.allSettled([failing('a'), failing('b')]);
    expect(results.map((result) => result.status === 'rejected' && String(result.reason))).toEqual([
      'Error: no commit',
      'Error: no commit',
    ]);
    expect(runs).toEqual(['a', 'b']);
  });

  it('continues after a failure', async () => {
    await expect(units.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await add('a')();
    expect(await stored()).toEqual(['a']);
  });
});
