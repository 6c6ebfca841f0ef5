import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import libsql from 'libsql';
import { createDataSource, dataSourceOptions } from '../../data-source';
import { UnitOfWork } from '../../unit-of-work';

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('A SQLite connection with concurrent callers', () => {
  let folder: string;
  let dataSource: DataSource;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-gate-'));
  });

  afterEach(async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
    rmSync(folder, { recursive: true });
  });

  const open = async (
    make: (options: ReturnType<typeof dataSourceOptions>) => DataSource,
  ): Promise<UnitOfWork> => {
    dataSource = await make(dataSourceOptions({ type: 'sqlite', file: join(folder, 'db') }, [])).initialize();
    await dataSource.query('CREATE TABLE notes (text varchar)');
    return new UnitOfWork(dataSource);
  };
  const note = (text: string): Promise<unknown> => dataSource.query('INSERT INTO notes VALUES (?)', [text]);
  const notes = async (): Promise<string[]> =>
    (await dataSource.query<{ text: string }[]>('SELECT text FROM notes ORDER BY text')).map(
      ({ text }) => text,
    );

  /** A unit of work that fails after a write, while another caller writes. */
  const failBesideAnother = async (unitOfWork: UnitOfWork): Promise<void> => {
    const failing = unitOfWork.run(async () => {
      await unitOfWork.manager.query("INSERT INTO notes VALUES ('undone')");
      await pause();
      throw new Error('on purpose');
    });
    const outcome = expect(failing).rejects.toThrow('on purpose');
    await pause();
    await note('kept');
    await outcome;
  };

  it('loses the writes of other callers with the query runner of TypeORM', async () => {
    const unitOfWork = await open((options) => new DataSource(options));
    await failBesideAnother(unitOfWork).catch(() => undefined);
    expect(await notes()).toEqual([]);
  });

  it('accepts null as the only value of a statement', async () => {
    await open(createDataSource);
    await dataSource.query('INSERT INTO notes VALUES (?)', [null]);
    expect(await dataSource.query('SELECT text FROM notes WHERE text IS ?', [null])).toEqual([
      { text: null },
    ]);
  });

  it('keeps the writes of other callers when a transaction fails', async () => {
    await failBesideAnother(await open(createDataSource));
    expect(await notes()).toEqual(['kept']);
  });

  it('fails on a second transaction with the query runner of TypeORM', async () => {
    const unitOfWork = await open((options) => new DataSource(options));
    const outcomes = await Promise.allSettled([unitOfWork.run(pause), unitOfWork.run(pause)]);
    expect(outcomes.map(({ status }) => status)).toContain('rejected');
  });

  it('runs transactions sequentially', async () => {
    const unitOfWork = await open(createDataSource);
    let running = 0;
    const work = async (): Promise<void> => {
      running += 1;
      expect(running).toBe(1);
      await unitOfWork.manager.query("INSERT INTO notes VALUES ('one')");
      await pause();
      running -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => unitOfWork.run(work)));
    expect(await notes()).toHaveLength(10);
  });

  it('joins a nested unit of work to the outer one', async () => {
    const unitOfWork = await open(createDataSource);
    const outer = unitOfWork.run(async () => {
      await unitOfWork.run(async () => {
        await unitOfWork.manager.query("INSERT INTO notes VALUES ('inner')");
      });
      throw new Error('outer');
    });
    await expect(outer).rejects.toThrow('outer');
    expect(await notes()).toEqual([]);
  });

  it('refuses a statement that would wait for the transaction of its own caller', async () => {
    const unitOfWork = await open(createDataSource);
    await expect(unitOfWork.run(() => note('bypassing'))).rejects.toThrow('use UnitOfWork.manager');
    await note('after');
    expect(await notes()).toEqual(['after']);
  });

  it('supports the transaction API of TypeORM', async () => {
    await open(createDataSource);
    await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        dataSource.transaction(async (manager) => {
          await manager.query('INSERT INTO notes VALUES (?)', [`note ${i}`]);
          await pause();
        }),
      ),
    );
    expect(await notes()).toHaveLength(5);
  });

  it('remains usable after statements that fail', async () => {
    const unitOfWork = await open(createDataSource);
    await expect(dataSource.query('SELECT * FROM nowhere')).rejects.toThrow('no such table');
    await expect(unitOfWork.run(() => unitOfWork.manager.query('SELECT * FROM nowhere'))).rejects.toThrow();
    await note('after');
    expect(await notes()).toEqual(['after']);
  });

  it('blocks writes of other processes between the first read of a transaction and its first write', async () => {
    const unitOfWork = await open(createDataSource);
    const other = new libsql(join(folder, 'db'), { timeout: 0 });
    await unitOfWork.run(async () => {
      await unitOfWork.manager.query('SELECT * FROM notes');
      expect(() => other.exec("INSERT INTO notes VALUES ('other')")).toThrow('database is locked');
      await unitOfWork.manager.query("INSERT INTO notes VALUES ('own')");
    });
    other.exec("INSERT INTO notes VALUES ('other')");
    other.close();
    expect(await notes()).toEqual(['other', 'own']);
  });

  describe('when closed', () => {
    const file = (): string => join(folder, 'db');
    const copied = (): string[] => {
      copyFileSync(file(), `${file()}-copy`);
      const copy = new libsql(`${file()}-copy`);
      const rows = copy.prepare('SELECT text FROM notes').all() as { text: string }[];
      copy.close();
      return rows.map(({ text }) => text);
    };

    it('has all rows in the database file and none only in the write-ahead log', async () => {
      await open(createDataSource);
      await note('kept');
      await dataSource.destroy();
      expect(copied()).toEqual(['kept']);
    });

    it('does not wait for another connection that is reading', async () => {
      await open(createDataSource);
      await note('kept');
      const other = new libsql(file());
      const reading = other.prepare('SELECT text FROM notes').iterate()[Symbol.iterator]();
      reading.next();
      const start = performance.now();
      await dataSource.destroy();
      expect(performance.now() - start).toBeLessThan(2000);
      other.close();
    });
  });
});
