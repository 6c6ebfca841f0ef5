import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { describeOnEmptyDatabases, type TestDatabase } from '../../test/support/databases';
import { parseDatabaseUrl } from '../config/database-url';
import { createDataSource, dataSourceOptions } from './data-source';
import { UnitOfWork } from './unit-of-work';

describeOnEmptyDatabases('What a unit of work has begun and not awaited', (create) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;

  const add = async (name: string): Promise<void> => {
    await unitOfWork.manager.query('INSERT INTO things VALUES (?)', [name]);
  };
  const names = async (): Promise<string[]> => {
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM things ORDER BY name');
    return rows.map(({ name }) => name);
  };
  /** Commits a unit of work, and returns the result of what it began, which goes on after the commit. */
  async function afterItsEnd<T>(work: () => Promise<T>): Promise<T> {
    const begun: Promise<T>[] = [];
    await unitOfWork.run(() => {
      begun.push(sleep(50).then(work));
      return add('first');
    });
    return begun[0]!;
  }

  beforeEach(async () => {
    database = await create();
    dataSource = await createDataSource(dataSourceOptions(parseDatabaseUrl(database.url), [])).initialize();
    await dataSource.query('CREATE TABLE things (name varchar(9) PRIMARY KEY)');
    unitOfWork = new UnitOfWork(dataSource);
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('is not part of it any more', async () => {
    const callback = jest.fn();
    const result = await afterItsEnd(() => {
      unitOfWork.afterCommit(callback);
      return Promise.resolve([unitOfWork.inProgress, callback.mock.calls.length]);
    });
    expect(result).toEqual([false, 1]);
  });

  it('has units of work of its own, which are rolled back as usual', async () => {
    const failure = afterItsEnd(() =>
      unitOfWork.run(async () => {
        await add('second');
        throw new Error('not now');
      }),
    );
    await expect(failure).rejects.toThrow('not now');
    expect(await names()).toEqual(['first']);
  });

  it('can write, and is committed by itself', async () => {
    await afterItsEnd(() => add('second'));
    expect(await names()).toEqual(['first', 'second']);
  });

  it('has no hook while it is committed, which would write nothing', async () => {
    const hook = { beforeCommit: () => Promise.resolve(), ended: jest.fn() };
    const failures: unknown[] = [];
    const late = jest.spyOn(dataSource, 'transaction');
    late.mockImplementationOnce((async (work: (manager: unknown) => Promise<unknown>) => {
      const result = await work(dataSource.manager);
      await sleep(50);
      return result;
    }) as never);
    await unitOfWork.run(() => {
      void sleep(20).then(() => {
        try {
          unitOfWork.commitHook(failures, () => hook);
        } catch (error) {
          failures.push(error);
        }
      });
      return Promise.resolve();
    });
    late.mockRestore();
    expect(failures).toEqual([
      new Error('The unit of work ends without this call: all calls in it must be awaited'),
    ]);
  });

  it('has no hook while another one writes the last rows, which would miss what is added', async () => {
    const failures: unknown[] = [];
    let late: Promise<void> | undefined;
    const hook = {
      beforeCommit: async () => {
        await late;
      },
      ended: jest.fn(),
    };
    await unitOfWork.run(() => {
      const owner = {};
      unitOfWork.commitHook(owner, () => hook);
      late = sleep(20).then(() => {
        try {
          unitOfWork.commitHook(owner, () => hook);
        } catch (error) {
          failures.push(error);
        }
      });
      return Promise.resolve();
    });
    expect(failures).toEqual([
      new Error('The unit of work ends without this call: all calls in it must be awaited'),
    ]);
  });
});
