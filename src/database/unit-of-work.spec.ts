import { Logger } from '@nestjs/common';
import { DataSource, type DataSourceOptions, QueryFailedError } from 'typeorm';
import { createSqlite, type TestDatabase } from '../../test/support/databases';
import { parseDatabaseUrl } from '../config/database-url';
import { createDataSource, dataSourceOptions } from './data-source';
import { UnitOfWork } from './unit-of-work';

describe('UnitOfWork.afterCommit', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let done: string[];

  beforeEach(async () => {
    database = await createSqlite();
    const options: DataSourceOptions = dataSourceOptions(parseDatabaseUrl(database.url), []);
    dataSource = await createDataSource(options).initialize();
    await dataSource.query('CREATE TABLE things (name varchar)');
    unitOfWork = new UnitOfWork(dataSource);
    done = [];
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const add = async (name: string): Promise<void> => {
    await unitOfWork.manager.query('INSERT INTO things VALUES (?)', [name]);
    unitOfWork.afterCommit(() => done.push(name));
  };

  const stored = async (): Promise<string[]> =>
    (await dataSource.query<{ name: string }[]>('SELECT name FROM things')).map(({ name }) => name);

  it('runs callbacks in order after the commit', async () => {
    await unitOfWork.run(async () => {
      await add('a');
      await add('b');
      expect(done).toEqual([]);
    });
    expect(done).toEqual(['a', 'b']);
    expect(await stored()).toEqual(['a', 'b']);
  });

  it('drops callbacks if the work is rolled back', async () => {
    const work = unitOfWork.run(async () => {
      await add('a');
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    await unitOfWork.run(() => add('b'));
    expect(done).toEqual(['b']);
    expect(await stored()).toEqual(['b']);
  });

  it('waits for the outermost unit of work', async () => {
    await unitOfWork.run(async () => {
      await unitOfWork.run(() => add('inner'));
      expect(done).toEqual([]);
      await add('outer');
    });
    expect(done).toEqual(['inner', 'outer']);
  });

  it('drops callbacks of a nested unit if the outer one is rolled back', async () => {
    const work = unitOfWork.run(async () => {
      await unitOfWork.run(() => add('inner'));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(done).toEqual([]);
  });

  it('runs only the callbacks of the committed attempt', async () => {
    let attempts = 0;
    await unitOfWork.run(async () => {
      attempts += 1;
      await add(`attempt ${attempts}`);
      if (attempts < 3) throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' });
    });
    expect(done).toEqual(['attempt 3']);
    expect(await stored()).toEqual(['attempt 3']);
  });

  it('runs the callback immediately outside of a unit of work, even after an earlier one', async () => {
    await add('a');
    expect(done).toEqual(['a']);
    await unitOfWork.run(() => Promise.resolve());
    await add('b');
    expect(done).toEqual(['a', 'b']);
  });
});

describe('UnitOfWork.run', () => {
  it.each([
    ['ER_LOCK_WAIT_TIMEOUT', 3000, 3],
    ['ER_LOCK_DEADLOCK', 0, 8],
  ])('repeats work that always fails with %s after %i ms %i times', async (code, durationMs, attempts) => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const transaction = jest.fn(() => {
      now += durationMs;
      return Promise.reject(Object.assign(new Error('locked'), { code }));
    });
    const unitOfWork = new UnitOfWork({ transaction, options: { type: 'mysql' } } as never);
    await expect(unitOfWork.run(() => Promise.resolve())).rejects.toThrow('locked');
    expect(transaction).toHaveBeenCalledTimes(attempts);
    jest.restoreAllMocks();
  });

  it('warns of a transaction that stays open', async () => {
    jest.useFakeTimers();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const transaction = (work: (manager: object) => Promise<unknown>) => work({});
    const unitOfWork = new UnitOfWork({ transaction, options: { type: 'mysql' } } as never);
    let end = (): void => undefined;
    const quick = unitOfWork.run(() => Promise.resolve());
    const stuck = unitOfWork.run(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    await quick;
    await jest.advanceTimersByTimeAsync(30_000);
    end();
    await stuck;
    jest.useRealTimers();
    expect(warn.mock.calls).toEqual([
      [
        'A transaction stays open and holds up others',
        { seconds: 30, source: expect.stringMatching(/^\(\) ?=> ?new Promise\(/) as string },
      ],
    ]);
    jest.restoreAllMocks();
  });
});

describe('UnitOfWork.runOnce', () => {
  const failing = (code: string): Promise<boolean> => {
    const error = new QueryFailedError('SELECT', [], Object.assign(new Error(code), { code }));
    const transaction = () => Promise.reject(error);
    return new UnitOfWork({ transaction, options: { type: 'mysql' } } as never).runOnce(() =>
      Promise.resolve(),
    );
  };

  it.each(['ER_LOCK_NOWAIT', 'ER_DATA_TOO_LONG', 'PROTOCOL_CONNECTION_LOST'])(
    'lets the work of each caller run separately after %s',
    async (code) => {
      expect(await failing(code)).toBe(false);
    },
  );

  it('fails for all callers if the database does not respond in time', async () => {
    await expect(failing('PROTOCOL_SEQUENCE_TIMEOUT')).rejects.toThrow('PROTOCOL_SEQUENCE_TIMEOUT');
  });
});
