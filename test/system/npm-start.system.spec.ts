import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiKey, storageKey } from '../support/keys';
import { freePort, until } from '../support/private-servers';

const ROOT = join(__dirname, '../..');

/** The built service, started with the documented command. */
describe('npm run start:prod', () => {
  let folder: string;
  let npm: ChildProcess;
  let port: number;
  let output: string;
  let closed: Promise<void>;

  const isLogged = (message: string): boolean => output.includes(`"message":"${message}"`);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-npm-'));
    port = await freePort();
    output = '';
    npm = spawn('npm', ['run', 'start:prod'], {
      cwd: ROOT,
      // A group of its own, so that afterEach also ends what npm leaves behind.
      detached: true,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        HOST: '127.0.0.1',
        PORT: String(port),
        NODE_ENV: 'production',
        DATABASE_URL: `sqlite:${join(folder, 'relayer.sqlite')}`,
        API_KEY: apiKey('npm'),
        STORAGE_ENCRYPTION_KEY: storageKey(1),
        CONFIG_FILE: '',
      },
    });
    npm.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    npm.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // The output is open for as long as the service runs, even if npm has ended.
    closed = new Promise((resolve) => npm.once('close', () => resolve()));
    await until('the service', () => isLogged('Listening'));
  });

  afterEach(async () => {
    try {
      process.kill(-npm.pid!, 'SIGKILL');
    } catch {
      // All processes of the group have ended.
    }
    await closed;
    rmSync(folder, { recursive: true, force: true });
  });

  it('stops the service when npm is stopped', async () => {
    npm.kill('SIGTERM');
    await closed;
    expect(isLogged('Stopping')).toBe(true);
  });

  it('does not wait for connections on which no request has arrived', async () => {
    const [bare, half] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    for (const socket of [bare, half]) socket.on('error', () => undefined);
    await Promise.all([once(bare, 'connect'), once(half, 'connect')]);
    half.write('GET /api/v1/health HTTP/1.1\r\nHost: 127');
    const before = Date.now();
    npm.kill('SIGTERM');
    await closed;
    expect(Date.now() - before).toBeLessThan(6_000);
  });
});
