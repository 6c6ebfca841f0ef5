import fs, { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { assertWritable } from '../../assert-writable';
import { createDataSource, dataSourceOptions } from '../../data-source';
import { UnitOfWork } from '../../unit-of-work';

describe('A database file', () => {
  let folder: string;
  let file: string;
  let dataSource: DataSource;
  let error: jest.SpyInstance;

  const open = async (path: string): Promise<DataSource> => {
    const source = await createDataSource(dataSourceOptions({ type: 'sqlite', file: path }, [])).initialize();
    await source.query('CREATE TABLE notes (text varchar UNIQUE)');
    return source;
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-opened-'));
    file = join(folder, 'db');
    dataSource = await open(file);
    error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    rmSync(folder, { recursive: true });
  });

  const add = (text: string): Promise<unknown> => {
    const unitOfWork = new UnitOfWork(dataSource);
    return unitOfWork.run(() => unitOfWork.manager.query('INSERT INTO notes VALUES (?)', [text]));
  };
  const addAlone = (text: string): Promise<unknown> =>
    dataSource.query('INSERT INTO notes VALUES (?)', [text]);
  const notes = (): Promise<unknown> => dataSource.query('SELECT text FROM notes');

  const expectUnavailable = async (): Promise<void> => {
    const unavailable = { code: 'unavailable', message: 'Service Unavailable' };
    await expect(assertWritable(dataSource)).rejects.toMatchObject(unavailable);
    const results = await Promise.allSettled([add('b'), add('c'), addAlone('d')]);
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.objectContaining(unavailable) });
    await expect(add('e')).rejects.toMatchObject(unavailable);
    await expect(notes()).rejects.toMatchObject(unavailable);
    expect(error).toHaveBeenCalledTimes(1);
    expect(error).toHaveBeenCalledWith(expect.stringContaining('deleted or replaced'), { file });
  };

  it('that was deleted is neither read nor written, and is reported once', async () => {
    await add('a');
    await assertWritable(dataSource);
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix);
    await expectUnavailable();
  });

  it('that was replaced by a copy is neither read nor written, and is reported once', async () => {
    await add('a');
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    await expectUnavailable();
  });

  it('that was deleted is not read from 100 ms later, although nothing was written', async () => {
    await add('a');
    expect(await notes()).toEqual([{ text: 'a' }]);
    rmSync(file);
    await sleep(110);
    await expect(notes()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(notes()).rejects.toMatchObject({ code: 'unavailable' });
    expect(error).toHaveBeenCalledTimes(1);
  });

  it('is looked for at most every 100 ms by reads', async () => {
    const found = jest.spyOn(fs, 'statSync');
    for (let reads = 0; reads < 200; reads += 1) await notes();
    expect(found.mock.calls.length).toBeLessThan(50);
  });

  it('that was moved away and back is used again, and the log says so', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    renameSync(file, `${file}.moved`);
    await expect(add('a')).rejects.toThrow('Service Unavailable');
    renameSync(`${file}.moved`, file);
    await assertWritable(dataSource);
    await add('a');
    expect(await notes()).toEqual([{ text: 'a' }]);
    expect(warn.mock.calls).toEqual([['The database file is back', { file }]]);
  });

  it('is not needed by an in-memory database', async () => {
    const memory = await open(':memory:');
    await memory.query("INSERT INTO notes VALUES ('a')");
    await assertWritable(memory);
    await memory.destroy();
  });
});
