import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource, dataSourceOptions } from '../../data-source';
import { backUpSqlite } from './sqlite-backup';

describe('backUpSqlite', () => {
  const folderBefore = process.cwd();
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
    process.chdir(folder);
  });

  afterEach(() => {
    process.chdir(folderBefore);
    rmSync(folder, { recursive: true });
  });

  // Without their folder, SQLite takes these for a URI and for a database in memory.
  it.each(['file:copy.sqlite', ':memory:'])('takes %s for the name of a file', async (name) => {
    const dataSource = createDataSource(dataSourceOptions({ type: 'sqlite', file: ':memory:' }, []));
    await dataSource.initialize();
    try {
      await dataSource.query('CREATE TABLE t (id int)');
      expect(await backUpSqlite(dataSource, name)).toBe(join(process.cwd(), name));
      expect(readdirSync(folder)).toEqual([name]);
      expect(statSync(join(folder, name)).size).toBeGreaterThan(0);
    } finally {
      await dataSource.destroy();
    }
  });
});
