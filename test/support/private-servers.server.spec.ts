import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrivateMariaDb, PrivateRedis } from './private-servers';
import { WITH_TYPESCRIPT } from './run-typescript';

const { TEST_MARIADB_URL, TEST_REDIS_URL } = process.env;

describe.each([
  { className: 'MariaDb', Server: PrivateMariaDb, available: TEST_MARIADB_URL },
  { className: 'Redis', Server: PrivateRedis, available: TEST_REDIS_URL },
])('A private $className', ({ className, Server, available }) => {
  beforeEach(() => {
    // A server that ends unexpectedly is reported.
    jest.spyOn(console, 'error').mockImplementation();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  (available ? it : it.skip)('does not count as ready when another server responds on its port', async () => {
    const server = await Server.create();
    const other = await Server.create();
    try {
      await other.stop();
      Object.assign(other, { port: server.port });
      await expect(other.start()).rejects.toThrow('ended before it was ready');
    } finally {
      await other.destroy();
      await server.destroy();
    }
  });

  it('leaves no folder behind if it does not start', () => {
    const folder = mkdtempSync(join(tmpdir(), 'relayer-servers-'));
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    for (const program of ['mariadb-install-db', 'mariadbd', 'redis-server'])
      writeFileSync(join(programs, program), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const create = `
      process.env.TMPDIR = process.env.FOLDER;
      require('./private-servers.ts').Private${className}.create().catch(() => process.exit(3));
    `;
    try {
      // Run in a separate process, with different programs and a different folder for temporary files.
      const { status } = spawnSync(process.execPath, [...WITH_TYPESCRIPT, '-e', create], {
        cwd: __dirname,
        env: { PATH: `${programs}:${process.env.PATH ?? ''}`, FOLDER: folder },
      });
      expect(status).toBe(3);
      expect(readdirSync(folder)).toEqual(['programs']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
