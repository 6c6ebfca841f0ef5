import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { EXPOSITION_SHARED_FOR_MS } from '../../src/cluster/shared-state';
import { createMariaDb, describeWithMariaDb, type TestDatabase, withSchema } from '../support/databases';
import { type HttpResponse, send } from '../support/http';
import { freePort, until } from '../support/private-servers';
import { rounds } from '../support/rounds';

const MAIN = join(__dirname, '../../dist/main.js');
const API_KEY = 'k'.repeat(40);
const PAUSES = rounds(10, 3);
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };

describe('The process on SQLite', () => {
  it('refuses a WEB_CONCURRENCY above 1', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'relayer-processes-'));
    const child = spawn(process.execPath, [MAIN], {
      cwd: folder,
      env: { PATH: process.env.PATH, WEB_CONCURRENCY: '2' },
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1);
    expect(errors).toBe('WEB_CONCURRENCY must be 1 with SQLite, which is for one process\n');
    rmSync(folder, { recursive: true, force: true });
  });
});

describeWithMariaDb('Two processes', () => {
  let database: TestDatabase;
  let folder: string;
  let child: ChildProcess;
  let ended: Promise<number | null>;
  let output: string;
  let url: string;

  const start = async (settings: Record<string, string> = {}): Promise<void> => {
    database = await withSchema(createMariaDb)();
    folder = mkdtempSync(join(tmpdir(), 'relayer-processes-'));
    output = '';
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    child = spawn(process.execPath, [MAIN], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        PORT: String(port),
        WEB_CONCURRENCY: '2',
        API_KEY,
        DATABASE_URL: database.url,
        RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
        RATE_LIMIT_BURST_SIZE: '1000000',
        ...settings,
      },
    });
    ended = new Promise((resolve) => child.once('close', resolve));
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until('both processes', () => linesOf('Process listening').length === 2);
  };

  /** @returns the exit code */
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    const code = await ended;
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
    return code;
  };

  const linesOf = (message: string): Record<string, unknown>[] =>
    output
      .split('\n')
      .filter((line) => line.includes(`"message":"${message}"`))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  const ask = (method: string, path: string, body?: unknown, headers = {}): Promise<HttpResponse> =>
    send(url, {
      method,
      path: `/api/v1/relayers/demo${path}`,
      body,
      headers: { authorization: `Bearer ${API_KEY}`, ...headers },
    });

  const sign = (headers?: object): Promise<HttpResponse> => ask('POST', '/sign-typed-data', HASHES, headers);

  const signaturesIn = (text = ''): number =>
    Number(/^signatures_total\{kind="local",outcome="success"\} (\d+)$/m.exec(text)?.[1]);

  const signatures = async (): Promise<number> =>
    signaturesIn((await send(url, { path: '/metrics/signatures_total' })).text);

  describe('with the default settings', () => {
    beforeAll(() => start());

    afterAll(async () => {
      expect(await stop()).toBe(0);
    });

    it('log the listening address once, and share the work', async () => {
      expect(linesOf('Listening')).toHaveLength(1);
      expect(output.match(/^curl /gm)).toHaveLength(1);
      await Promise.all(Array.from({ length: 64 }, () => sign({ connection: 'close' })));
      const seen = (): Set<unknown> => new Set(linesOf('Request completed').map(({ pid }) => pid));
      await until('both to have responded', () => seen().size === 2);
      expect([...seen()].sort()).toEqual(
        linesOf('Process listening')
          .map(({ worker_pid }) => worker_pid)
          .sort(),
      );
    });

    it(`never sign for a request sent after a pause was acknowledged: ${PAUSES} pauses, one in 1000 requests`, async () => {
      let [signed, late] = [0, 0];
      for (let round = 0; round < PAUSES; round += 1) {
        let [sent, acknowledged] = [0, false];
        const pause = async (): Promise<void> => {
          expect((await ask('PATCH', '', { paused: true })).status).toBe(200);
          acknowledged = true;
        };
        let pausing: Promise<void> | undefined;
        const client = async (): Promise<void> => {
          while (sent < 1000) {
            sent += 1;
            if (sent > 300) pausing ??= pause();
            const isLate = acknowledged;
            const { status } = await sign();
            if (isLate) {
              expect(status).toBe(403);
              late += 1;
            } else if (status === 200) signed += 1;
          }
        };
        await Promise.all(Array.from({ length: 32 }, client));
        await pausing;
        expect((await ask('PATCH', '', { paused: false })).status).toBe(200);
      }
      expect(signed).toBeGreaterThan(200 * PAUSES);
      expect(late).toBeGreaterThan(200 * PAUSES);
    });

    it('each return the metrics of the whole service', async () => {
      const before = await signatures();
      await Promise.all(Array.from({ length: 100 }, () => sign({ connection: 'close' })));
      await sleep(EXPOSITION_SHARED_FOR_MS);
      const scrapes = await Promise.all(
        [
          '/debug/metrics/scrape',
          '/debug/metrics/scrape',
          '/metrics/signatures_total',
          '/metrics/relayers',
        ].map((path) => send(url, { path, headers: { connection: 'close' } })),
      );
      const [first, second, one, relayers] = scrapes.map(({ text }) => text);
      for (const text of [first, second, one]) expect(signaturesIn(text)).toBe(before + 100);
      expect(one).toMatch(/^# HELP signatures_total /);
      expect(relayers).toMatch(/^relayers\{state="enabled".*\} 1$/m);
    });

    it('return the metrics of the other process while one is stopped', async () => {
      const [stopped] = linesOf('Process listening').map(({ worker_pid }) => Number(worker_pid));
      const figure = async (name: string): Promise<string> => {
        const response = await send(url, { path: `/metrics/${name}`, headers: { connection: 'close' } });
        expect(response.status).toBe(200);
        return response.text;
      };
      const ofBoth = await figure('cluster_silent_processes');
      expect(ofBoth).toMatch(/^cluster_silent_processes 0$/m);
      process.kill(stopped ?? 0, 'SIGSTOP');
      await sleep(EXPOSITION_SHARED_FOR_MS);
      // The stopped process is handed one connection, and none after that.
      const scrapes = [1, 2].map(() => figure('cluster_silent_processes'));
      expect(await Promise.race(scrapes)).toMatch(/^cluster_silent_processes 1$/m);
      process.kill(stopped ?? 0, 'SIGCONT');
      await Promise.all(scrapes);
      await until('both', async () =>
        /^cluster_silent_processes 0$/m.test(await figure('cluster_silent_processes')),
      );
    });

    it('restart the one that was killed', async () => {
      const [killed] = linesOf('Process listening').map(({ worker_pid }) => Number(worker_pid));
      process.kill(killed ?? 0, 'SIGKILL');
      await until('a third process', () => linesOf('Process listening').length === 3);
      expect(linesOf('A process ended and is being restarted')).toEqual([
        expect.objectContaining({ worker_pid: killed, signal: 'SIGKILL', delay_ms: 500 }),
      ]);
      expect(linesOf('Listening')).toHaveLength(1);
      expect((await sign({ connection: 'close' })).status).toBe(200);
    });
  });

  describe('started for one test', () => {
    afterEach(() => stop());

    it('return their own metrics while the database hangs', async () => {
      await start();
      const connection = await createConnection(database.url);
      await connection.query('LOCK TABLES relayers WRITE');
      try {
        const scrape = () => send(url, { path: '/debug/metrics/scrape', headers: { connection: 'close' } });
        for (let requests = 1; requests <= 20; requests += 1) {
          await send(url, { path: '/v1/health', headers: { connection: 'close' } });
          if (requests % 10 > 0) continue;
          const startedAt = performance.now();
          const { text } = await scrape();
          expect(performance.now() - startedAt).toBeLessThan(5000);
          expect(text).toMatch(/^cluster_silent_processes 0$/m);
          expect(text).toMatch(
            new RegExp(`^http_requests_total\\{[^}]*/v1/health[^}]*\\} ${requests}$`, 'm'),
          );
          expect(text).not.toMatch(/^relayers\{/m);
        }
      } finally {
        await connection.query('UNLOCK TABLES');
        await connection.end();
      }
    });

    it('share one rate limit', async () => {
      await start({ RATE_LIMIT_REQUESTS_PER_SECOND: '1', RATE_LIMIT_BURST_SIZE: '60' });
      const before = Date.now();
      const responses = await Promise.all(Array.from({ length: 200 }, () => sign({ connection: 'close' })));
      const refilled = Math.ceil((Date.now() - before) / 1000);
      const passed = responses.filter(({ status }) => status === 200).length;
      expect(passed).toBeGreaterThanOrEqual(60);
      expect(passed).toBeLessThanOrEqual(60 + refilled);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(200 - passed);
    });

    it('return the metrics on a separate port', async () => {
      const port = await freePort();
      await start({ METRICS_PORT: String(port) });
      await Promise.all(Array.from({ length: 20 }, () => sign({ connection: 'close' })));
      const { text } = await send(`http://127.0.0.1:${port}`, {
        path: '/debug/metrics/scrape',
        headers: { connection: 'close' },
      });
      expect(signaturesIn(text)).toBe(20);
      expect(text).toMatch(/^http_connections\{token="no"\} \d+$/m);
      expect((await send(url, { path: '/metrics' })).status).toBe(404);
      expect(linesOf('Process listening')).toHaveLength(2);
      expect(linesOf('Listening')).toHaveLength(1);
    });
  });
});
