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
  let statements: (readonly string[])[];
  let add: (name: string) => Promise<string>;

  beforeEach(async () => {
    database = await createSqlite();
    const options: DataSourceOptions = dataSourceOptions(parseDatabaseUrl(database.url), []);
    dataSource = await createDataSource(options).initialize();
    await dataSource.query('CREATE TABLE things (name varchar UNIQUE)');
    unitOfWork = new UnitOfWork(dataSource);
    units = new SharedUnits(unitOfWork);
    transactions = jest.spyOn(dataSource, 'transaction');
    done = [];
    statements = [];
    add = inserting();
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** A kind of unit that inserts the names of all callers in one statement. */
  const inserting = () =>
    units.of(async (names: readonly string[]) => {
      statements.push(names);
      const values = names.map(() => '(?)').join(', ');
      await unitOfWork.manager.query(`INSERT INTO things VALUES ${values}`, [...names]);
      unitOfWork.afterCommit(() => done.push(...names));
      return names.map((name) => `${name} added`);
    });

  const stored = async (): Promise<string[]> =>
    (await dataSource.query<{ name: string }[]>('SELECT name FROM things ORDER BY name')).map(
      ({ name }) => name,
    );

  it('commits concurrent units in one transaction, those of a kind together, each with its own result', async () => {
    const other = inserting();
    const results = await Promise.all([add('a'), other('b'), add('c')]);
    expect(results).toEqual(['a added', 'b added', 'c added']);
    expect(transactions).toHaveBeenCalledTimes(1);
    expect(statements).toEqual([['a', 'c'], ['b']]);
    expect(await stored()).toEqual(['a', 'b', 'c']);
    expect(done).toEqual(['a', 'c', 'b']);
  });

  it('rejects only the unit that fails', async () => {
    await add('b');
    const results = await Promise.allSettled(['a', 'b', 'c'].map(add));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual(['a', 'b', 'c']);
    expect(done).toEqual(['b', 'a', 'c']);
  });

  it('does not run the units again if the commit fails', async () => {
    const runs: string[] = [];
    const failing = units.of((names: readonly string[]) => {
      runs.push(...names);
      unitOfWork.commitHook(units, () => ({
        beforeCommit: () => Promise.reject(new Error('no commit')),
        ended: () => undefined,
      }));
      return Promise.resolve(names);
    });
    const results = await Promise.allSettled([failing('a'), failing('b')]);
    expect(results.map((result) => result.status === 'rejected' && String(result.reason))).toEqual([
      'Error: no commit',
      'Error: no commit',
    ]);
    expect(runs).toEqual(['a', 'b']);
  });

  it('continues after a failure', async () => {
    await expect(units.of(() => Promise.reject(new Error('no')))(undefined)).rejects.toThrow('no');
    await add('a');
    expect(await stored()).toEqual(['a']);
  });
});
