import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { createDataSource, dataSourceOptions } from '../../data-source';

describe('Files of SQLite', () => {
  let folder: string;
  let dataSource: DataSource | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-files-'));
  });

  afterEach(async () => {
    await dataSource?.destroy();
    dataSource = undefined;
    rmSync(folder, { recursive: true });
  });

  const open = async (file: string): Promise<DataSource> =>
    (dataSource = await createDataSource(dataSourceOptions({ type: 'sqlite', file }, [])).initialize());

  const modesOf = (file: string): string[] =>
    ['', '-wal', '-shm']
      .filter((suffix) => existsSync(file + suffix))
      .map((suffix) => (statSync(file + suffix).mode & 0o777).toString(8));

  it('are readable only by their owner, as is a newly created folder', async () => {
    const file = join(folder, 'of/the/owner/db');
    const previous = process.umask(0);
    try {
      const source = await open(file);
      await source.query('CREATE TABLE things (id varchar PRIMARY KEY)');
      await source.query("INSERT INTO things VALUES ('a')");
      expect(modesOf(file)).toEqual(['600', '600', '600']);
      expect((statSync(join(folder, 'of')).mode & 0o777).toString(8)).toBe('700');
    } finally {
      process.umask(previous);
    }
  });

  it('are restricted to their owner even if another connection of this process has opened them', async () => {
    const file = join(folder, 'db');
    const first = await open(file);
    await first.query('CREATE TABLE things (id varchar PRIMARY KEY)');
    for (const suffix of ['', '-wal', '-shm']) chmodSync(file + suffix, 0o644);
    const second = await createDataSource(dataSourceOptions({ type: 'sqlite', file }, [])).initialize();
    expect(modesOf(file)).toEqual(['600', '600', '600']);
    await second.query("INSERT INTO things VALUES ('a')");
    await second.destroy();
    expect(await first.query('SELECT id FROM things')).toEqual([{ id: 'a' }]);
  });

  it('are reported when they are new, because the path may be wrong', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    try {
      const file = join(folder, 'db');
      await (await open(file)).destroy();
      expect(warn.mock.calls).toEqual([['New database created', { file }]]);
      await open(file);
      await open(':memory:');
      expect(warn).toHaveBeenCalledTimes(1);
    } finally {
      warn.mockRestore();
    }
  });

  it('are not created for an in-memory database', async () => {
    await open(':memory:');
    expect(existsSync(':memory:')).toBe(false);
  });

  it('are left unchanged if they are not SQLite files', async () => {
    const file = join(folder, 'db');
    writeFileSync(file, 'something else');
    await expect(open(file)).rejects.toThrow();
    expect(readFileSync(file, 'utf8')).toBe('something else');
  });

  it('do not change the mode of a folder given by mistake', async () => {
    chmodSync(folder, 0o755);
    await expect(open(folder)).rejects.toThrow();
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('755');
  });

  it('retain nothing of deleted rows', async () => {
    const file = join(folder, 'db');
    const source = await open(file);
    expect(await source.query('PRAGMA secure_delete')).toEqual([{ secure_delete: 1 }]);
    await source.query('CREATE TABLE things (id varchar PRIMARY KEY, text text)');
    await source.query("INSERT INTO things VALUES ('a', 'a-text-that-is-to-go')");
    await source.query('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(readFileSync(file, 'latin1')).toContain('a-text-that-is-to-go');
    await source.query('DELETE FROM things');
    await source.query('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(readFileSync(file, 'latin1')).not.toContain('a-text-that-is-to-go');
  });
});
