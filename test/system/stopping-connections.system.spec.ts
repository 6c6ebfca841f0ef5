import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeptConnections } from '../support/kept-connections';
import { freePort, until } from '../support/private-servers';
import { RawClient } from '../support/raw-client';

const MAIN = join(__dirname, '../../dist/main.js');
const CLIENTS = 16;

/** The built service as a separate process, whose clients keep their connections alive. */
describe('The connections of a process that stops', () => {
  let folder: string;
  let child: ChildProcess;
  let output: string;
  let url: string;
  let ended: Promise<number | null>;
  let authorization: string;

  const isStopping = (): boolean => output.includes('"message":"Stopping"');

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-stopping-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    output = '';
    child = spawn(process.execPath, [MAIN], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        HOST: '127.0.0.1',
        RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
        RATE_LIMIT_BURST_SIZE: '1000000',
      },
    });
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    ended = new Promise((resolve) => child.once('close', resolve));
    await until('the service', () => output.includes('"message":"Listening"'));
    authorization = `Bearer ${readFileSync(join(folder, 'data/api-key'), 'utf8').trim()}`;
  });

  afterEach(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await until('the stop', isStopping);
  };

  it('end with a response that says so, and no request on a reused one is lost', async () => {
    const clients = new KeptConnections(
      url,
      {
        method: 'POST',
        path: '/api/v1/relayers/demo/sign-typed-data',
        headers: { authorization },
        body: { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) },
      },
      CLIENTS,
      isStopping,
    );
    await until('responses', () => clients.responses > 10 * CLIENTS);
    await stop();
    expect(await ended).toBe(0);
    await clients.ended;
    expect(clients.statuses).toEqual(new Set([200]));
    expect(clients.lost).toEqual([]);
    expect(clients.reused).toBeGreaterThan(0);
    expect(clients.lateResponses.size).toBeGreaterThan(0);
    expect([...clients.lateResponses]).toEqual(['close']);
  });

  it('stay open for a while if they are idle, and get one more response', async () => {
    const idle = await Promise.all(Array.from({ length: 3 }, () => RawClient.open(url)));
    for (const client of idle) client.request('GET /v1/health');
    await Promise.all(idle.map((client) => client.response()));
    await stop();
    await sleep(300);
    const [first, second, third] = idle as [RawClient, RawClient, RawClient];
    for (const client of [first, second]) {
      expect(client.ended).toBe(false);
      client.request('GET /v1/health');
      expect(await client.response(2)).toMatchObject({ status: 200, headers: { connection: 'close' } });
      await client.untilClosed();
    }
    expect(third.ended).toBe(false);
    expect(await ended).toBe(0);
    expect(third.responses).toHaveLength(1);
    expect(third.seconds).toBeLessThan(10);
  });

  it('end with the response in progress', async () => {
    const [idle, slow] = await Promise.all([RawClient.open(url), RawClient.open(url)]);
    slow.write(
      'PATCH /api/v1/relayers/demo HTTP/1.1',
      'Host: localhost',
      `Authorization: ${authorization}`,
      'Content-Type: application/json',
      'Content-Length: 2',
      '',
      '{',
    );
    idle.request('GET /v1/health');
    await idle.response();
    await sleep(200);
    await stop();
    slow.write('}');
    expect(await slow.response()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await slow.untilClosed();
    expect(idle.ended).toBe(false);
    idle.destroy();
    expect(await ended).toBe(0);
  });
});
