import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeOnEmptyDatabases, type TestDatabase } from '../support/databases';
import { CommandProcess } from '../support/stored-secrets';

const KEY = randomBytes(32).toString('base64');

describeOnEmptyDatabases('storage:backup', (createDatabase, databaseName) => {
  let database: TestDatabase;
  let service: TestApplication;
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
    database = await createDatabase();
    service = await TestApplication.start(database, { STORAGE_ENCRYPTION_KEY: KEY, CONFIG_FILE: '' });
  });

  afterEach(async () => {
    await service.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const run = async (from: TestDatabase, ...args: string[]) => {
    const command = new CommandProcess(args, from, KEY);
    const code = await command.ended;
    return { code, stdout: command.stdout, stderr: command.stderr };
  };
  const backUp = (file: string) => run(database, 'commands/storage-backup.js', file);

  if (databaseName === 'SQLite') {
    it('copies a database that is in use, for its owner only', async () => {
      await addRelayer(service, { id: 'first' });
      const end = new AbortController();
      let written = 0;
      const writer = (async () => {
        for (; !end.signal.aborted; written += 1)
          expect((await service.patch('/api/v1/relayers/first', { name: `n${written}` })).status).toBe(200);
      })();
      const file = join(folder, 'copy.sqlite');
      const before = written;
      expect(await backUp(file)).toEqual({ code: 0, stdout: `Copied to ${file}\n`, stderr: '' });
      expect(written).toBeGreaterThan(before);
      end.abort();
      await writer;
      await service.call({ method: 'DELETE', path: '/api/v1/relayers/first' });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const copy = { ...database, url: `sqlite:${file}` };
      expect(await run(copy, 'commands/storage-verify.js')).toMatchObject({ code: 0 });
      expect(await run(copy, 'commands/audit-verify.js')).toMatchObject({ code: 0 });
      const restored = await TestApplication.start(copy, { STORAGE_ENCRYPTION_KEY: KEY, CONFIG_FILE: '' });
      try {
        expect((await restored.get('/api/v1/relayers/first')).body.data.name).toMatch(/^n\d+$/);
      } finally {
        await restored.close();
      }
    });

    it('replaces no file, and leaves none behind if it fails', async () => {
      const file = join(folder, 'copy.sqlite');
      expect(await backUp(file)).toMatchObject({ code: 0 });
      const { size } = statSync(file);
      expect(await backUp(file)).toMatchObject({ code: 1, stderr: expect.stringContaining('EEXIST') });
      expect(statSync(file).size).toBe(size);
      const nowhere = join(folder, 'missing', 'copy.sqlite');
      expect(await backUp(nowhere)).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOENT') });
      expect(readdirSync(folder)).toEqual(['copy.sqlite']);
      expect(await run(database, 'commands/storage-backup.js')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Usage: npm run storage:backup -- FILE'),
      });
    });
  } else {
    it('refers to the tools of the server', async () => {
      const { code, stderr } = await backUp(join(folder, 'copy.sqlite'));
      expect([code, stderr]).toEqual([1, expect.stringContaining('use mysqldump or mariadb-dump')]);
      expect(readdirSync(folder)).toEqual([]);
    });
  }
});
