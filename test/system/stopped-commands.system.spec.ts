import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { createMariaDb, createSqlite, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { CommandProcess } from '../support/stored-secrets';

const KEY = randomBytes(32).toString('base64');

describeWithMariaDb('A command that is stopped', () => {
  let database: TestDatabase;
  let other: DataSource;

  beforeEach(async () => {
    database = await createMariaDb();
    other = await createDataSource(dataSourceOptions(parseDatabaseUrl(database.url), [])).initialize();
  });

  afterEach(async () => {
    await other.destroy();
    await database.drop();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('exits on %s while it waits for the database', async (signal) => {
    const holder = other.createQueryRunner();
    await holder.query("SELECT GET_LOCK(CONCAT(DATABASE(), '.migrations'), 0)");
    const waiting = async (): Promise<boolean> => {
      const [row] = await other.query<{ n: string }[]>(
        "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND state = 'User lock'",
      );
      return Number(row?.n) > 0;
    };
    const command = new CommandProcess(['commands/migrate.js'], database, KEY);
    try {
      while (!(await waiting())) expect(command.child.exitCode).toBeNull();
      command.child.kill(signal);
      const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'late').unref());
      expect(await Promise.race([command.ended, late])).toBe(1);
      expect(command.stderr).toBe('Stopped before the end\n');
    } finally {
      command.child.kill('SIGKILL');
      await holder.release();
    }
  });
});

describe('A command whose database accepts connections and never responds', () => {
  let server: Server;
  let folder: string;

  beforeAll(async () => {
    server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    folder = mkdtempSync(join(tmpdir(), 'relayer-import-'));
    writeFileSync(join(folder, 'config.json'), '{}');
  });

  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    [['import', ''], 1],
    [['migrate'], 1],
    [['storage-rotate'], 1],
    [['storage-verify'], 1],
    [['storage-reseal', 'networks:evm:sepolia'], 1],
    [['api-key', 'create', '--name', 'x', '--scopes', 'freeze'], 1],
    [['audit-verify'], 2],
  ])('%j ends within seconds of SIGTERM', async ([script, ...args], code) => {
    const url = `mysql://a:s3cret@127.0.0.1:${(server.address() as AddressInfo).port}/x`;
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const given = args.map((arg) => (arg === '' ? folder : arg));
    const command = new CommandProcess([`commands/${script}.js`, ...given], { url } as TestDatabase, KEY);
    const [socket] = await connected;
    try {
      command.child.kill('SIGTERM');
      const late = new Promise((resolve) => setTimeout(resolve, 4_000, 'late').unref());
      expect(await Promise.race([command.ended, late])).toBe(code);
      expect(command.stderr).toBe('Stopped before the end\n');
    } finally {
      command.child.kill('SIGKILL');
      socket.destroy();
    }
  });
});

describe('A command whose output is closed by its reader', () => {
  it('exits without a stack trace', async () => {
    const database = await createSqlite();
    try {
      const command = new CommandProcess(['commands/doctor.js'], database, KEY);
      command.child.stdout?.destroy();
      expect(await command.ended).toBe(1);
      expect(command.stderr).toBe('Stopped before the end\n');
    } finally {
      await database.drop();
    }
  });
});
