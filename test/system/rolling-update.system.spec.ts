import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { ContinuousCalls } from '../support/continuous-calls';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { apiKey, storageKey } from '../support/keys';
import { freePort, until } from '../support/private-servers';
import { ReadyProxy } from '../support/ready-proxy';
import { rounds } from '../support/rounds';
import { CommandProcess } from '../support/stored-secrets';

const MAIN = join(__dirname, '../../dist/main.js');
const API_KEY = apiKey('rolling update');
const KEY = storageKey(5);
const SIGN = {
  method: 'POST',
  path: '/api/v1/relayers/demo/sign-typed-data',
  headers: { authorization: `Bearer ${API_KEY}` },
  body: { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) },
};
const CLIENTS = 4;
const ROUNDS = rounds(2, 1);

interface Instance {
  url: string;
  child: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
}

/**
 * Two local processes that share a database, behind a proxy that acts as Kubernetes does, while clients sign
 * continuously.
 */
describeWithMariaDb('A deployment under load', () => {
  let database: TestDatabase;
  let folder: string;
  let proxy: ReadyProxy;
  let instances: Instance[];
  let clients: ContinuousCalls;

  beforeEach(async () => {
    database = await createMariaDb();
    folder = mkdtempSync(join(tmpdir(), 'relayer-rolling-'));
    proxy = await ReadyProxy.start();
    instances = [];
  });

  afterEach(async () => {
    await clients.stop();
    for (const { child, ended } of instances) {
      child.kill('SIGKILL');
      await ended;
    }
    await proxy.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (): Promise<Instance> => {
    const port = await freePort();
    const child = spawn(process.execPath, [MAIN], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        PORT: String(port),
        API_KEY,
        STORAGE_ENCRYPTION_KEY: KEY,
        DATABASE_URL: database.url,
        RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
        RATE_LIMIT_BURST_SIZE: '1000000',
        RELAYER_CHECK_INTERVAL_SECONDS: '0',
      },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const instance = { url: `http://127.0.0.1:${port}`, child, output: () => output, ended };
    instances.push(instance);
    proxy.add(instance.url);
    return instance;
  };

  const startReady = async (): Promise<Instance> => {
    const instance = await start();
    await until('the instance', () => proxy.ready.includes(instance.url), instance.child);
    return instance;
  };

  /** Resolves once the clients have received this many further responses, successful or not. */
  const responses = async (count: number): Promise<void> => {
    const seen = (): number => clients.succeeded + clients.failures.length;
    const enough = seen() + count;
    await until('responses', () => seen() >= enough);
  };

  const expectNoFailure = async (): Promise<void> => {
    await responses(50);
    await clients.stop();
    expect(clients.failures).toEqual([]);
    expect(clients.succeeded).toBeGreaterThan(100);
  };

  const stop = async ({ child, ended }: Instance): Promise<void> => {
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  };

  it('replaces each instance without a failed request when the proxy removes it before SIGTERM, as with preStop', async () => {
    let [first, second] = [await startReady(), await startReady()];
    clients = new ContinuousCalls(proxy.url, SIGN, CLIENTS);
    await responses(100);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const old of [first, second]) {
        const replacement = await startReady();
        proxy.takeOut(old.url);
        await stop(old);
        [first, second] = [second, replacement];
      }
    }
    await expectNoFailure();
    expect(proxy.repeated).toBe(0);
  }, 300_000);

  it('replaces an instance without a failed request when the proxy removes it only after /v1/ready returns 503', async () => {
    const [first] = [await startReady(), await startReady()];
    clients = new ContinuousCalls(proxy.url, SIGN, CLIENTS);
    await responses(100);
    await stop(first);
    await startReady();
    await expectNoFailure();
    expect(proxy.repeated).toBe(0);
  });

  it('is rolled back without a failed request, although the older version does not start on the newer schema', async () => {
    await startReady();
    clients = new ContinuousCalls(proxy.url, SIGN, CLIENTS);
    const connection = await createConnection(database.url);
    await connection.query(
      "INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'OfTheNext9999999999999')",
    );
    const refused = await start();
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain('The database was migrated by a newer version of the service');
    // As reverting that migration does.
    await connection.query('DELETE FROM migrations WHERE timestamp = 9999999999999');
    await connection.end();
    const [newer] = instances;
    await startReady();
    proxy.takeOut(newer!.url);
    await stop(newer!);
    await expectNoFailure();
  });

  it('loses only requests in flight when an instance is killed, and none if the proxy repeats them', async () => {
    const [first, second] = [await startReady(), await startReady()];
    clients = new ContinuousCalls(proxy.url, SIGN, CLIENTS);
    await responses(100);
    first.child.kill('SIGKILL');
    await first.ended;
    await until('the proxy', () => proxy.ready.length === 1);
    await responses(50);
    // Only requests sent to the instance before the proxy noticed.
    const lost = clients.failures.splice(0);
    expect(lost.filter((failure) => !failure.startsWith('502'))).toEqual([]);

    proxy.takeOut(first.url);
    await startReady();
    proxy.repeats = true;
    await responses(100);
    second.child.kill('SIGKILL');
    await second.ended;
    await sleep(500);
    await expectNoFailure();
    expect(proxy.repeated).toBeGreaterThan(0);
    // The audit log has every signature that a client received, and its chains are intact.
    const audit = new CommandProcess(['commands/audit-verify.js'], database, KEY);
    expect(await audit.ended).toBe(0);
    const connection = await createConnection(database.url);
    const [[row]] = (await connection.query(
      "SELECT COUNT(*) AS signed FROM audit_events WHERE relayer_id = 'demo' AND digest IS NOT NULL",
    )) as unknown as [[{ signed: number }]];
    await connection.end();
    expect(row.signed).toBeGreaterThanOrEqual(clients.succeeded);
  });
});
