import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import libsql from 'libsql';
import { AbstractLogger, type DataSource } from 'typeorm';
import { createDataSource, dataSourceOptions } from '../../data-source';
import { UnitOfWork } from '../../unit-of-work';
import { driverCodeOf, isOfDatabase } from '../driver-errors';

/** Records the statements that reach SQLite. */
class StatementList extends AbstractLogger {
  readonly statements: string[] = [];

  constructor() {
    super('all');
  }

  override logQuery(statement: string): void {
    this.statements.push(statement);
  }

  protected writeLog(): void {
    // Logged statements are already in the list.
  }

  count(statement: string): number {
    return this.statements.filter((each) => each === statement).length;
  }
}

describe('GroupCommit', () => {
  let folder: string;
  let file: string;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let list: StatementList;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-group-'));
    file = join(folder, 'db');
    list = new StatementList();
    const options = { ...dataSourceOptions({ type: 'sqlite', file }, []), logger: list };
    dataSource = await createDataSource(options).initialize();
    await dataSource.query('CREATE TABLE notes (text varchar UNIQUE)');
    unitOfWork = new UnitOfWork(dataSource);
    list.statements.length = 0;
  });

  afterEach(async () => {
    await dataSource.destroy();
    rmSync(folder, { recursive: true });
  });

  const insert = (text: string): Promise<unknown> =>
    unitOfWork.manager.query('INSERT INTO notes VALUES (?)', [text]);
  const add = (text: string): Promise<unknown> => unitOfWork.run(() => insert(text));
  const failing = (text: string): Promise<unknown> =>
    unitOfWork.run(async () => {
      await insert(text);
      throw new Error(`${text} fails`);
    });
  const notes = async (): Promise<string[]> =>
    (await dataSource.query<{ text: string }[]>('SELECT text FROM notes ORDER BY text')).map(
      ({ text }) => text,
    );
  /** The rows that another process sees. */
  const committed = (): string[] => {
    const other = new libsql(file);
    try {
      return (other.prepare('SELECT text FROM notes ORDER BY text').all([]) as { text: string }[]).map(
        ({ text }) => text,
      );
    } finally {
      other.close();
    }
  };
  const outcomes = async (all: Promise<unknown>[]): Promise<string[]> =>
    (await Promise.allSettled(all)).map((one) =>
      one.status === 'fulfilled' ? 'done' : (one.reason as Error).message,
    );
  const names = Array.from({ length: 20 }, (_, i) => `note ${String(i).padStart(2, '0')}`);

  it('commits concurrent transactions together', async () => {
    await Promise.all(names.map(add));
    expect(list.count('COMMIT')).toBe(1);
    expect(committed()).toEqual(names);
  });

  it('also commits statements outside of transactions together', async () => {
    await Promise.all(names.map((text, i) => (i % 2 === 0 ? insert(text) : add(text))));
    expect(list.count('COMMIT')).toBe(1);
    expect(committed()).toEqual(names);
  });

  it('resolves only after the commit', async () => {
    await Promise.all(
      names.map(async (text) => {
        await add(text);
        expect(committed()).toContain(text);
      }),
    );
  });

  it('commits at most 128 transactions together', async () => {
    await Promise.all(Array.from({ length: 300 }, (_, i) => add(String(i))));
    expect(list.count('COMMIT')).toBeGreaterThanOrEqual(3);
    expect(committed()).toHaveLength(300);
  });

  it.each([
    ['first', 0],
    ['middle', 10],
    ['last', 20],
  ])('rolls back only the failing transaction: the %s', async (_, at) => {
    const all = names.map(add);
    const before = names.slice(0, at).map((text) => `again ${text}`);
    await Promise.all(all);
    const mixed = [...before.map(add), failing('undone'), ...names.slice(at).map((text) => add(`x ${text}`))];
    expect(await outcomes(mixed)).toEqual([
      ...before.map(() => 'done'),
      'undone fails',
      ...names.slice(at).map(() => 'done'),
    ]);
    expect(await notes()).toEqual(
      [...names, ...before, ...names.slice(at).map((text) => `x ${text}`)].sort(),
    );
  });

  it('rolls back only the failing statement', async () => {
    const result = await outcomes([insert('one'), insert('one'), add('two'), insert('two'), insert('three')]);
    expect(result.map((text) => text.replace(/^.*UNIQUE.*$/, 'refused'))).toEqual([
      'done',
      'refused',
      'done',
      'refused',
      'done',
    ]);
    expect(committed()).toEqual(['one', 'three', 'two']);
  });

  it('continues after the only transaction has failed', async () => {
    expect(await outcomes([failing('undone')])).toEqual(['undone fails']);
    await add('one');
    expect(committed()).toEqual(['one']);
  });

  it('does not expose uncommitted rows', async () => {
    const seen: string[][] = [];
    const writes = names.map(async (text) => {
      await add(text);
    });
    const reads = names.map(async () => seen.push(await notes(), committed()));
    await Promise.all([...writes, ...reads]);
    for (let i = 0; i < seen.length; i += 2) expect(seen[i]).toEqual(seen[i + 1]);
  });

  it('lets statements through while transactions keep arriving', async () => {
    const end = new AbortController();
    const writing = (async () => {
      for (let i = 0; !end.signal.aborted; i += 1) await Promise.all([add(`a ${i}`), add(`b ${i}`)]);
    })();
    for (let i = 0; i < 50; i += 1) await notes();
    end.abort();
    await writing;
  });

  it('commits while slow failing transactions keep arriving', async () => {
    const end = new AbortController();
    const failSlowly = async (): Promise<void> => {
      await insert('undone');
      await new Promise(setImmediate);
      throw new Error('fails');
    };
    const writing = Array.from({ length: 4 }, async () => {
      while (!end.signal.aborted) await unitOfWork.run(failSlowly).catch(() => undefined);
    });
    const giveUp = setTimeout(() => {
      end.abort();
    }, 5000);
    await Promise.all([add('one'), notes()]);
    const isStarved = end.signal.aborted;
    clearTimeout(giveUp);
    end.abort();
    await Promise.all(writing);
    expect(isStarved).toBe(false);
    expect(committed()).toEqual(['one']);
  });

  it('waits for a slow transaction', async () => {
    const slow = unitOfWork.run(async () => {
      await insert('slow');
      await new Promise((resolve) => setTimeout(resolve, 50));
      await insert('slower');
    });
    await Promise.all([add('one'), slow, add('two')]);
    expect(committed()).toEqual(['one', 'slow', 'slower', 'two']);
  });

  it('waits for the lock of another connection without blocking the event loop', async () => {
    const options = dataSourceOptions({ type: 'sqlite', file }, []);
    const other = await createDataSource(options).initialize();
    const others = new UnitOfWork(other);
    const insertSlowly = async (work: UnitOfWork, text: string): Promise<void> => {
      await work.manager.query('INSERT INTO notes VALUES (?)', [text]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    let longest = 0;
    let last = performance.now();
    const turns = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    await Promise.all(
      names.flatMap((text) => [
        unitOfWork.run(() => insertSlowly(unitOfWork, text)),
        others.run(() => insertSlowly(others, `other ${text}`)),
      ]),
    );
    clearInterval(turns);
    await other.destroy();
    expect(committed()).toHaveLength(2 * names.length);
    // SQLite itself would wait for this long.
    expect(longest).toBeLessThan(4000);
  });

  it('fails if another process keeps the lock', async () => {
    jest.spyOn(performance, 'now').mockImplementation(() => Date.now() * 100);
    const other = new libsql(file);
    other.exec('BEGIN IMMEDIATE');
    const refused = dataSource.transaction((manager) => manager.query("INSERT INTO notes VALUES ('one')"));
    const error: unknown = await refused.catch((reason: unknown) => reason);
    jest.restoreAllMocks();
    expect([isOfDatabase(error), driverCodeOf(error)]).toEqual([true, 'SQLITE_BUSY']);
    other.exec('ROLLBACK');
    other.close();
    await add('after');
    expect(committed()).toEqual(['after']);
  });

  it('rejects work in progress when the connection is closed', async () => {
    const closed = await createDataSource(dataSourceOptions({ type: 'sqlite', file }, [])).initialize();
    const late = new UnitOfWork(closed);
    const result = outcomes([
      late.run(async () => {
        await late.manager.query("INSERT INTO notes VALUES ('late')");
        await closed.destroy();
        await late.manager.query('SELECT 1');
      }),
    ]);
    expect(await result).toEqual(['The database connection is closed']);
    expect(committed()).toEqual([]);
  });

  it('rejects all transactions of the group if the commit fails', async () => {
    await dataSource.query('CREATE TABLE parents (id integer PRIMARY KEY)');
    await dataSource.query(
      'CREATE TABLE children (id integer REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)',
    );
    const orphan = unitOfWork.run(() => unitOfWork.manager.query('INSERT INTO children VALUES (1)'));
    const result = await outcomes([add('one'), orphan, add('two')]);
    expect(new Set(result).size).toBe(1);
    expect(result[0]).toContain('FOREIGN KEY');
    expect(committed()).toEqual([]);
    await add('after');
    expect(committed()).toEqual(['after']);
  });

  it('reports as successful exactly the stored transactions when the disk is full', async () => {
    await dataSource.query('PRAGMA max_page_count = 40');
    const texts = Array.from({ length: 60 }, (_, i) => `${i} ${'x'.repeat(8000)}`);
    const result = await outcomes(
      texts.map((text, i) => (i % 3 === 0 ? insert(text) : i % 7 === 0 ? failing(text) : add(text))),
    );
    expect(result.some((text) => text.includes('full'))).toBe(true);
    expect(await notes()).toEqual(texts.filter((_, i) => result[i] === 'done').sort());
    await dataSource.query('PRAGMA max_page_count = 4000');
    await add('after');
    expect(committed()).toContain('after');
  });

  it('does not affect later transactions if SQLite rolls back a lone transaction', async () => {
    const rolledBack = unitOfWork.run(async () => {
      await insert('one');
      // SQLite does the same after some errors.
      await unitOfWork.manager.query('INSERT OR ROLLBACK INTO notes VALUES (?)', ['one']);
    });
    expect((await outcomes([rolledBack]))[0]).toContain('UNIQUE');
    await add('after');
    expect(committed()).toEqual(['after']);
  });

  it('rejects the whole group if SQLite rolls it back, and refuses later statements of the last transaction', async () => {
    const late: string[] = [];
    const last = async (): Promise<void> => {
      await insert('three');
      await unitOfWork.manager
        .query('INSERT OR ROLLBACK INTO notes VALUES (?)', ['three'])
        .catch(() => undefined);
      await insert('four').catch((error: unknown) => late.push((error as Error).message));
    };
    const result = await outcomes([add('one'), add('two'), unitOfWork.run(last)]);
    expect(result[0]).toContain('UNIQUE');
    expect(result[1]).toContain('UNIQUE');
    expect(result[2]).toBe('SQLite has rolled the transaction back');
    expect(late).toEqual(['SQLite has rolled the transaction back']);
    await add('after');
    expect(committed()).toEqual(['after']);
  });
});
