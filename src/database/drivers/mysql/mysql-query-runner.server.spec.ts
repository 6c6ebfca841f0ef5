import type { Socket } from 'node:net';
import { DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../../../../test/support/databases';
import { parseDatabaseUrl } from '../../../config/database-url';
import { dataSourceOptions } from '../../data-source';
import { driverCodeOf } from '../driver-errors';
import { limitStatements, withStatementTimeout } from './mysql-query-runner';

const TIMEOUT_MS = 300;
/** MySQL has a limit for idle connections only. Its limit for a session without a longer timeout is 120 seconds. */
const IDLE = process.env.TEST_MYSQLD
  ? { variable: 'wait_timeout', title: 'is idle', seconds: 120, longerSeconds: 300 }
  : {
      variable: 'idle_transaction_timeout',
      title: 'is idle for three timeouts',
      seconds: 1,
      longerSeconds: 300,
    };

describeWithMariaDb('A session with a statement timeout', () => {
  let database: TestDatabase;
  let limited: DataSource;

  const open = async (): Promise<DataSource> =>
    new DataSource({
      ...dataSourceOptions(parseDatabaseUrl(database.url), []),
      poolSize: 1,
    } as never).initialize();

  const inSession = async <T>(
    dataSource: DataSource,
    work: (runner: QueryRunner) => Promise<T>,
  ): Promise<T> => {
    const runner = dataSource.createQueryRunner();
    try {
      return await work(runner);
    } finally {
      await runner.release();
    }
  };

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));

  /** The id of the connection that executes the query. */
  const thread = async (runner: { query: (statement: string) => Promise<unknown> }): Promise<string> => {
    const [row] = (await runner.query('SELECT CONNECTION_ID() AS id')) as [{ id: string | number }];
    return String(row.id);
  };

  beforeEach(async () => {
    database = await createMariaDb();
    limited = limitStatements(await open(), TIMEOUT_MS);
    await limited.query('CREATE TABLE things (id int AUTO_INCREMENT PRIMARY KEY, name varchar(9) UNIQUE)');
  });

  afterEach(async () => {
    await limited.destroy();
    await database.drop();
  });

  it.each([
    ['SELECT ? AS name, 1 AS size', ['a']],
    ['INSERT INTO things (name) VALUES (?), (?)', ['a', 'b']],
    ['UPDATE things SET name = ? WHERE id = 17', ['c']],
    ['DELETE FROM things', undefined],
  ])('returns the same result as TypeORM: %s', async (statement, parameters) => {
    const original = await open();
    const responsesOf = async (dataSource: DataSource): Promise<unknown[]> => {
      await dataSource.query('TRUNCATE things');
      return inSession(dataSource, async (runner) => [
        await runner.query(statement, parameters),
        await runner.query('DELETE FROM things'),
        await runner.query(statement, parameters, true),
      ]);
    };
    try {
      expect(await responsesOf(limited)).toEqual(await responsesOf(original));
    } finally {
      await original.destroy();
    }
  });

  it(`loses its locks when it ${IDLE.title} in a transaction`, async () => {
    await limited.query("INSERT INTO things (name) VALUES ('a')");
    const locking = 'SELECT id FROM things WHERE id = 1 FOR UPDATE';
    const hanging = limited.createQueryRunner();
    const other = await open();
    try {
      await hanging.startTransaction();
      await hanging.query(locking);
      if (process.env.TEST_MYSQLD) await hanging.query('SET SESSION wait_timeout = 1');
      expect(await other.query(locking)).toHaveLength(1);
      await expect(hanging.query("UPDATE things SET name = 'b'")).rejects.toThrow(QueryFailedError);
    } finally {
      await hanging.release();
      await other.destroy();
    }
    expect(await limited.query('SELECT name FROM things')).toEqual([{ name: 'a' }]);
  });

  it('returns JSON as text, whether or not it can be parsed', async () => {
    await limited.query('CREATE TABLE notes (id int PRIMARY KEY, content json)');
    // MySQL refuses what cannot be parsed.
    const texts = process.env.TEST_MYSQLD ? ['[]', '"{}"'] : ['["\\x"]', '[]', '"{}"'];
    for (const [id, text] of texts.entries())
      await limited.query('INSERT INTO notes VALUES (?, ?)', [id, text]);
    const rows = await limited.query('SELECT content FROM notes ORDER BY id');
    expect(rows).toEqual(texts.map((content) => ({ content })));
    const { affected } = await inSession(limited, (runner) =>
      runner.query("UPDATE things SET name = 'b' WHERE id = 17", [], true),
    );
    expect(affected).toBe(0);
  });

  it('uses another connection if the server has ended an idle one', async () => {
    await limited.query('SET SESSION wait_timeout = 1');
    const before = await thread(limited);
    await pause(1500);
    expect(await thread(limited)).not.toBe(before);
  });

  it('does not inherit a longer limit from an earlier session on the same connection', async () => {
    const idleSecondsOf = async (runner: QueryRunner): Promise<number> => {
      const rows: unknown = await runner.query(`SELECT @@SESSION.${IDLE.variable} AS seconds`);
      return Number((rows as { seconds: string }[])[0]?.seconds);
    };
    const patient = withStatementTimeout(limited, 100_000);
    expect(await inSession(patient, idleSecondsOf)).toBe(IDLE.longerSeconds);
    expect(await inSession(limited, idleSecondsOf)).toBe(IDLE.seconds);
  });

  it.each([
    [300, 1, 1],
    [10_000, 3, 9],
    [3_600_000, 50, 3599],
  ])('with a timeout of %i ms waits %i s for a row, and %i s for a table', async (timeoutMs, row, table) => {
    const waits =
      'SELECT @@SESSION.innodb_lock_wait_timeout AS forRow, @@SESSION.lock_wait_timeout AS forTable';
    const session = withStatementTimeout(limited, timeoutMs);
    expect(await inSession(session, (runner) => runner.query(waits))).toEqual([
      { forRow: String(row), forTable: String(table) },
    ]);
  });

  it('keeps its connection if it waits for a row or a table in vain', async () => {
    await limited.query("INSERT INTO things (name) VALUES ('a')");
    const patient = withStatementTimeout(limited, 4000);
    const other = await open();
    const codeOf = (statement: string): Promise<string> =>
      inSession(patient, (runner) => runner.query(statement)).then(() => 'done', driverCodeOf);
    try {
      const before = await thread(patient);
      await other.query('START TRANSACTION');
      await other.query('SELECT id FROM things WHERE id = 1 FOR UPDATE');
      const locking = 'SELECT id FROM things WHERE id = 1 FOR UPDATE';
      expect(await codeOf(locking)).toBe('ER_LOCK_WAIT_TIMEOUT');
      expect(await codeOf(`${locking} NOWAIT`)).toMatch(/^ER_LOCK_(WAIT_TIMEOUT|NOWAIT)$/);
      expect(await codeOf(`${locking} SKIP LOCKED`)).toBe('done');
      await other.query('ROLLBACK');
      await other.query('LOCK TABLES things WRITE');
      expect(await codeOf('SELECT id FROM things')).toBe('ER_LOCK_WAIT_TIMEOUT');
      await other.query('UNLOCK TABLES');
      expect(await thread(patient)).toBe(before);
    } finally {
      await other.destroy();
    }
  });

  it('reports which statement failed', async () => {
    await limited.query("INSERT INTO things (name) VALUES ('a')");
    const failure = await limited
      .query('INSERT INTO things (name) VALUES (?)', ['a'])
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(QueryFailedError);
    expect(failure).toMatchObject({ query: 'INSERT INTO things (name) VALUES (?)', parameters: ['a'] });
    expect(driverCodeOf(failure)).toBe('ER_DUP_ENTRY');
    expect((failure as Error).stack).toContain(__filename);
  });

  it('refuses a statement if the queue for a connection is full', async () => {
    const options = { ...dataSourceOptions(parseDatabaseUrl(database.url), []), poolSize: 1 };
    const small = await new DataSource({ ...options, extra: { queueLimit: 1 } } as never).initialize();
    limitStatements(small, TIMEOUT_MS);
    try {
      const results = await Promise.allSettled(
        Array.from({ length: 3 }, () => small.query('SELECT SLEEP(0.05)')),
      );
      const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      expect(reasons).toEqual([expect.objectContaining({ code: 'overloaded' })]);
    } finally {
      await small.destroy();
    }
  });

  it('discards the connection after a statement that exceeds the timeout', async () => {
    const before = await thread(limited);
    const failure = await limited.query('SELECT SLEEP(1)').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(QueryFailedError);
    expect(driverCodeOf(failure)).toBe('PROTOCOL_SEQUENCE_TIMEOUT');
    // The pool has room for one connection.
    const after = await thread(limited);
    expect(after).not.toBe(before);
    expect(await thread(limited)).toBe(after);
  });

  it('closes the socket of a statement that exceeds the timeout, although the server does not', async () => {
    await inSession(limited, async (runner) => {
      const { stream } = (await runner.connect()) as { stream: Socket };
      await expect(runner.query('SELECT SLEEP(1)')).rejects.toThrow('timed out');
      expect(stream.destroyed).toBe(true);
    });
  });

  it('logs the slow statement, and rejects it with an error of the logger', async () => {
    const told = jest.spyOn(limited.logger, 'logQuerySlow').mockImplementation(() => {
      throw new Error('no log');
    });
    await expect(limited.query('SELECT SLEEP(1)')).rejects.toThrow('no log');
    expect(told).toHaveBeenCalledWith(TIMEOUT_MS, 'SELECT SLEEP(1)', undefined, expect.anything());
  });

  it('applies the timeout to each of several concurrent statements separately', async () => {
    await inSession(limited, async (runner) => {
      const naps = Array.from({ length: 5 }, () => runner.query('SELECT SLEEP(?)', [TIMEOUT_MS / 3000]));
      expect(await Promise.all(naps)).toHaveLength(5);
    });
  });

  it('rejects the statements queued behind one that exceeds the timeout without sending them', async () => {
    await inSession(limited, async (runner) => {
      const outcomes = await Promise.allSettled([
        runner.query('SELECT SLEEP(1)'),
        runner.query("INSERT INTO things (name) VALUES ('a')"),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    });
    expect(await limited.query('SELECT * FROM things')).toEqual([]);
  });

  it('rejects later statements of a transaction whose connection was discarded', async () => {
    const work = limited.transaction(async (manager) => {
      await manager.query("INSERT INTO things (name) VALUES ('a')");
      await manager.query('SELECT SLEEP(1)').catch(() => undefined);
      await manager.query("INSERT INTO things (name) VALUES ('b')");
    });
    await expect(work).rejects.toThrow(QueryFailedError);
    expect(await limited.query('SELECT * FROM things')).toEqual([]);
  });

  it('does not apply the timeout between statements', async () => {
    await inSession(limited, async (runner) => {
      const before = await thread(runner);
      await pause(TIMEOUT_MS * 2);
      expect(await thread(runner)).toBe(before);
    });
  });

  it('keeps the connection if a parameter cannot be serialised', async () => {
    await inSession(limited, async (runner) => {
      const before = await thread(runner);
      const unwritable = {
        toSqlString: () => {
          throw new Error('no text');
        },
      };
      await expect(runner.query('SELECT ?', [unwritable])).rejects.toThrow('no text');
      await pause(TIMEOUT_MS * 2);
      expect(await thread(runner)).toBe(before);
    });
  });

  it('does not send waiting statements once released', async () => {
    const runner = limited.createQueryRunner();
    await runner.connect();
    const nap = runner.query('SELECT SLEEP(0.1)');
    const waiting = runner.query("INSERT INTO things (name) VALUES ('a')").catch((error: unknown) => error);
    // Both statements belong to the session.
    await pause(20);
    await runner.release();
    await nap;
    expect(String(await waiting)).toContain('already released');
    expect(await limited.query('SELECT * FROM things')).toEqual([]);
  });

  it('refuses statements once released', async () => {
    const runner = limited.createQueryRunner();
    await runner.release();
    await expect(runner.query('SELECT 1')).rejects.toThrow('already released');
  });

  it.each([
    ['', []],
    ['NO_BACKSLASH_ESCAPES', []],
    ['ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES', ['ANSI_QUOTES', 'STRICT_ALL_TABLES']],
    ['STRICT_TRANS_TABLES', []],
  ])('escapes values correctly with the server modes %s, and keeps the other modes', async (modes, kept) => {
    const text = "' AS injected -- \\";
    const dataSource = await open();
    await dataSource.query(`SET SESSION sql_mode = '${modes}'`);
    limitStatements(dataSource, TIMEOUT_MS);
    try {
      const [row] = await dataSource.query<[{ name: string; modes: string }]>(
        'SELECT ? AS name, @@SESSION.sql_mode AS modes',
        [text],
      );
      expect(row.name).toBe(text);
      expect(row.modes.split(',').sort()).toEqual([...kept, 'STRICT_TRANS_TABLES'].sort());
    } finally {
      await dataSource.destroy();
    }
  });

  it.each(['name', 'id'])(
    'refuses a value out of range regardless of the server modes: %s',
    async (column) => {
      const dataSource = await open();
      await dataSource.query("SET SESSION sql_mode = ''");
      limitStatements(dataSource, TIMEOUT_MS);
      try {
        const insert = dataSource.query(`INSERT INTO things (${column}) VALUES (?)`, ['9'.repeat(10)]);
        await expect(insert).rejects.toThrow(QueryFailedError);
        expect(await dataSource.query('SELECT * FROM things')).toEqual([]);
      } finally {
        await dataSource.destroy();
      }
    },
  );
});
