import { connect, createServer, type Server, type Socket } from 'node:net';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { send } from '../support/http';
import { freePort, until } from '../support/private-servers';

const MAIN = join(__dirname, '../../dist/main.js');
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
const TRANSFER = { to: '0x3535353535353535353535353535353535353535', value: '0', speed: 'fast' };
const API_KEY = 'black-hole-0123456789-0123456789-0123';

/** A proxy in front of the database that can swallow all data without closing a connection. */
class Swallower {
  swallowing = false;
  private readonly sockets = new Set<Socket>();
  private server!: Server;

  async listen(target: number): Promise<number> {
    this.server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1');
      for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
        this.sockets.add(from);
        from.on('data', (chunk) => this.swallowing || to.write(chunk));
        from.on('error', () => undefined);
        from.on('close', () => to.destroy());
      }
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return (this.server.address() as { port: number }).port;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

describeWithMariaDb('A database that stops responding', () => {
  let database: TestDatabase;
  const swallower = new Swallower();
  const folder = mkdtempSync(join(tmpdir(), 'relayer-black-hole-'));

  afterAll(async () => {
    swallower.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('costs each request no more than its time-out, recovers, and does not delay a shutdown', async () => {
    database = await createMariaDb();
    const url = new URL(database.url);
    url.port = String(await swallower.listen(Number(url.port)));
    const port = await freePort();
    const service = spawn(process.execPath, [MAIN], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: url.href, API_KEY },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
    const base = `http://127.0.0.1:${port}`;
    const call = { path: '/api/v1/relayers', headers: { authorization: `Bearer ${API_KEY}` } };
    const status = (path = call.path): Promise<number> =>
      send(base, { ...call, path }).then(
        (response) => response.status,
        () => 0,
      );
    await until('the service', async () => (await status('/v1/ready')) === 200);
    expect(await Promise.all(Array.from({ length: 5 }, () => status()))).toEqual([200, 200, 200, 200, 200]);

    swallower.swallowing = true;
    const first = await Promise.all(Array.from({ length: 5 }, () => status()));
    const second = await Promise.all(Array.from({ length: 5 }, () => status()));
    expect(new Set([...first, ...second])).toEqual(new Set([500]));
    expect(await status('/v1/ready')).toBe(503);
    expect(await status('/v1/health')).toBe(200);

    swallower.swallowing = false;
    await until('the recovery', async () => (await status()) === 200);

    swallower.swallowing = true;
    void status();
    const before = Date.now();
    service.kill('SIGTERM');
    await ended;
    expect(Date.now() - before).toBeLessThan(20_000);
  });

  it('is waited for only once by a request that signs or sends', async () => {
    const other = await createMariaDb();
    const url = new URL(other.url);
    const proxy = new Swallower();
    url.port = String(await proxy.listen(Number(url.port)));
    const service = await TestApplication.start({ ...other, url: url.href });
    const { id } = await addRelayer(service);
    const call = (method: string, path: string, body: object, key?: string) =>
      service.call({
        ...{ method, path: `/api/v1/relayers/${id}/${path}`, body },
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      });
    const sign = () => call('POST', 'sign-typed-data', HASHES);
    // Each has a connection, on which its first statement times out.
    expect(await Promise.all(Array.from({ length: 10 }, async () => (await sign()).status))).toEqual(
      Array(10).fill(200),
    );
    proxy.swallowing = true;
    const before = performance.now();
    const responses = await Promise.all([
      sign(),
      call('POST', 'sign-typed-data/batch', { items: [HASHES] }),
      call('POST', 'transactions', TRANSFER),
      call('POST', 'transactions', TRANSFER, 'single'),
      call('POST', 'transactions/batch', { transactions: [TRANSFER] }, 'batch'),
      call('PUT', 'transactions/x', TRANSFER),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(500));
    expect(performance.now() - before).toBeLessThan(14_000);
    proxy.swallowing = false;
    await service.close();
    proxy.close();
    await other.drop();
  });
});
