import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDatabase } from './database.check';

describe('checkDatabase of a missing SQLite file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'doctor-database-'))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const check = (production: boolean) =>
    checkDatabase({ production, database: { type: 'sqlite', file: join(folder, 'relayer.sqlite') } }, []);

  it('warns in production that a start creates an empty database', async () => {
    expect((await check(true)).findings).toEqual([
      {
        check: 'database',
        status: 'warning',
        detail: `${folder}/relayer.sqlite is not there, and a start creates an empty database`,
        advice: expect.stringContaining('restore the file or correct DATABASE_URL') as string,
      },
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('expects it outside of production', async () => {
    expect((await check(false)).findings).toEqual([
      { check: 'database', status: 'ok', detail: `the first start creates ${folder}/relayer.sqlite` },
    ]);
  });
});
