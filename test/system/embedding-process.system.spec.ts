import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { apiKey, storageKey } from '../support/keys';
import { until } from '../support/private-servers';
import { WITH_TYPESCRIPT } from '../support/run-typescript';

describe('A program that starts the service', () => {
  let child: ChildProcess;
  let output: string;

  const start = (databaseUrl: string, env: NodeJS.ProcessEnv = {}): void => {
    output = '';
    child = spawn(
      process.execPath,
      [...WITH_TYPESCRIPT, join(__dirname, '../support/embedding-process.ts')],
      {
        env: {
          PATH: process.env.PATH,
          NODE_ENV: 'production',
          HOST: '127.0.0.1',
          PORT: '0',
          API_KEY: apiKey('embedding'),
          STORAGE_ENCRYPTION_KEY: storageKey(3),
          DATABASE_URL: databaseUrl,
          RELAYER_CHECK_INTERVAL_SECONDS: '0',
          ...env,
        },
      },
    );
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  };

  const stop = async (): Promise<number | null> => {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = (await exit) as [number | null];
    return code;
  };

  afterEach(() => {
    child.kill('SIGKILL');
  });

  it('exits on SIGTERM within a bounded time, even if a plugin blocks the shutdown', async () => {
    start('sqlite::memory:');
    await until('the service', () => output.includes('Listening on '), child);
    expect(await stop()).toBe(1);
    expect(output).toContain('Stopping took too long: the process exits');
  });

  it('exits on SIGTERM within a bounded time while it closes the service', async () => {
    start('sqlite::memory:', { CLOSE_AT_ONCE: '1' });
    await until('the end of the service', () => output.includes('Closing'), child);
    expect(await stop()).toBe(1);
    expect(output).toContain('Stopping took too long: the process exits');
  });

  it('logs which proxies of the environment the service does not use', async () => {
    start('sqlite::memory:', { HTTPS_PROXY: 'http://user:password@127.0.0.1:1' });
    await until('the service', () => output.includes('Listening on '), child);
    expect(output).toMatch(/"Proxies of the environment are not used".*"variables":\["HTTPS_PROXY"\]/);
    expect(output).not.toContain('user:password');
  });

  it('exits on SIGTERM while it waits for its database, even as the first process of a container', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const { port } = silent.address() as AddressInfo;
      const connected = once(silent, 'connection');
      start(`mysql://user:password@127.0.0.1:${port}/name`);
      await connected;
      // It has a handler: without one, the first process of a container ignores the signal.
      expect(await stop()).toBe(0);
    } finally {
      silent.close();
    }
  });
});
