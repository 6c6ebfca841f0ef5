import { evmChain } from '../../src/chains/evm/evm-chain';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVM_CALL_BYTES, evmCall, type EvmMethod } from '../../src/chains/evm/evm-call';
import { RpcEndpoint } from '../../src/chains/rpc/rpc-endpoint';
import { httpTransport } from '../../src/chains/rpc/rpc-transport';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { HostileNode, SHAPES } from '../support/hostile-responses';
import { outboundHttp } from '../support/outbound';
import { freePort, until } from '../support/private-servers';
import { rounds } from '../support/rounds';
import { ScriptedNode } from '../support/scripted-node';

const MAIN = join(__dirname, '../../dist/main.js');
const CHAIN_ID = 424_242;
const MEBIBYTE = 1024 * 1024;
/** Just within `RPC_MAX_RESPONSE_BYTES`. */
const PASSED_ON = 7.9 * MEBIBYTE;
const HASHES = { domain_separator: '11'.repeat(32), hash_struct_message: '22'.repeat(32) };
const METHODS = Object.keys(EVM_CALL_BYTES) as EvmMethod[];

describe('Responses of 16 MiB to the service’s own calls', () => {
  const http = outboundHttp({ allow: '127.0.0.1' });
  let node: HostileNode;

  afterEach(() => node.close());
  afterAll(() => http.onApplicationShutdown());

  it.each(SHAPES)('are not read beyond the limit of the call, and fail the endpoint: %s', async (shape) => {
    node = await HostileNode.start({ shape });
    for (const method of METHODS) {
      const endpoint = new RpcEndpoint(node.url, evmChain(1n), httpTransport(http), () => performance.now());
      const call = endpoint.call(evmCall(method, []), (response) => response);
      await expect(call).rejects.toMatchObject({
        failure: 'too_large',
        message: expect.stringMatching(
          `more than ${EVM_CALL_BYTES[method]} bytes|too many small chunks`,
        ) as string,
      });
    }
  });
});

interface Reply {
  status: number;
  bytes: number;
  beginning: string;
}

/** The built service with little memory, as a process that can be killed. */
class SmallService {
  private child: ChildProcess | undefined;
  private output = '';
  url = '';
  private readonly apiKey = randomBytes(32).toString('hex');
  private readonly folder = mkdtempSync(join(tmpdir(), 'relayer-hostile-'));
  private readonly storageKey = randomBytes(32).toString('base64');

  constructor(private readonly database: TestDatabase) {}

  async start(): Promise<void> {
    expect(existsSync(MAIN)).toBe(true);
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    this.output = '';
    this.child = spawn(process.execPath, ['--max-old-space-size=256', MAIN], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        API_KEY: this.apiKey,
        STORAGE_ENCRYPTION_KEY: this.storageKey,
        DATABASE_URL: this.database.url,
        OUTBOUND_ALLOW: '127.0.0.1',
        RATE_LIMIT_REQUESTS_PER_SECOND: '100000',
        RATE_LIMIT_BURST_SIZE: '100000',
        RELAYER_CHECK_INTERVAL_SECONDS: '1',
      },
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    await until('the service', () => this.output.includes('"message":"Listening"'));
  }

  get isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  async kill(): Promise<void> {
    if (!this.child || !this.isRunning) return;
    const ended = new Promise((resolve) => this.child?.once('close', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }

  async destroy(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  post(path: string, body: unknown): Promise<Reply> {
    return this.call('POST', path, JSON.stringify(body));
  }

  get(path: string): Promise<Reply> {
    return this.call('GET', path);
  }

  /**
   * Uses a separate connection: this process blocks its event loop while it creates responses. The body is not parsed.
   */
  private call(method: string, path: string, body?: string): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request(this.url + path, { agent: false, method, headers }, (response) => {
        let bytes = 0;
        let beginning = '';
        response.on('data', (chunk: Buffer) => {
          if (bytes === 0) beginning = chunk.toString('utf8', 0, 200);
          bytes += chunk.length;
        });
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, bytes, beginning });
        });
      });
      sent.on('error', reject).end(body);
    });
  }

  /** Creates a network with these endpoints and a relayer on it, without waiting for the relayer's first check. */
  async addRelayer(name: string, rpc_urls: string[]): Promise<{ created: Promise<unknown> }> {
    const network = { name, network_type: 'evm', chain_id: CHAIN_ID, rpc_urls };
    const key = randomBytes(32).toString('hex');
    expect((await this.post('/api/v1/networks', network)).status).toBe(201);
    const signer = { id: name, type: 'plain', config: { key } };
    expect((await this.post('/api/v1/signers', signer)).status).toBe(201);
    const relayer = { id: name, name, network: name, network_type: 'evm', signer_id: name, paused: false };
    const created = this.post('/api/v1/relayers', relayer).catch(() => undefined);
    return { created };
  }

  rpc(name: string, body: unknown) {
    return this.post(`/api/v1/relayers/${name}/rpc`, body);
  }
}

/** Few rounds send every second shape on one database, and the others on the other one. */
const shapesOn = (databaseName: string): (readonly [number, string])[] =>
  [...SHAPES.entries()].filter(([index]) => rounds(true, index % 2 === (databaseName === 'SQLite' ? 0 : 1)));

describeOnDatabases('A service with 256 MiB', (createDatabase, databaseName) => {
  let database: TestDatabase;
  let service: SmallService;

  beforeEach(async () => {
    database = await createDatabase();
    service = new SmallService(database);
    await service.start();
  });

  afterEach(async () => {
    await service.destroy();
    await database.drop();
  });

  it('continues to sign and respond while nodes send 16 MiB in every shape to checks and callers', async () => {
    await (
      await service.addRelayer('well', [])
    ).created;
    const nodes: HostileNode[] = [];
    const failures: Reply[] = [];
    const over = new AbortController();
    const signing = (async () => {
      let signatures = 0;
      while (!over.signal.aborted) {
        const signed = await service.post('/api/v1/relayers/well/sign-typed-data', HASHES);
        const health = await service.get('/v1/health');
        failures.push(...[signed, health].filter(({ status }) => status !== 200));
        signatures += 1;
      }
      return signatures;
    })();
    for (const [index, shape] of shapesOn(databaseName)) {
      const toAll = await HostileNode.start({ shape });
      const toRpc = await HostileNode.start({ shape, chainId: CHAIN_ID });
      const fitting = await HostileNode.start({ shape, chainId: CHAIN_ID, bytes: PASSED_ON });
      nodes.push(toAll, toRpc, fitting);
      const names = [`all-${index}`, `rpc-${index}`, `fitting-${index}`];
      const added = [toAll, toRpc, fitting].map(({ url }, i) => service.addRelayer(names[i]!, [url]));
      await Promise.all((await Promise.all(added)).map(({ created }) => created));
      // Checks run all the time, in addition to these calls.
      const call = { method: 'eth_getLogs', params: [{}] };
      const responses = await Promise.all(
        names.flatMap((name) => [service.rpc(name, call), service.rpc(name, [call, call])]),
      );
      // The relayer whose node fails its checks is disabled.
      for (const { status } of responses) expect([200, 403]).toContain(status);
      expect(service.isRunning).toBe(true);
      for (const node of nodes.splice(0)) await node.close();
    }
    over.abort();
    expect(await signing).toBeGreaterThan(20);
    expect(failures).toEqual([]);
    expect(service.isRunning).toBe(true);
  }, 240_000);

  it('that was killed during its first call to an endpoint restarts with the other endpoint', async () => {
    const hanging = await ScriptedNode.start(CHAIN_ID);
    const other = await ScriptedNode.start(CHAIN_ID);
    hanging.be({ eth_chainId: 'hang' });
    const { created } = await service.addRelayer('killed', [hanging.url, other.url]);
    await until('the first calls', () => hanging.calls > 0 && other.calls > 0);
    // By then the first call to the other node is complete.
    await sleep(500);
    await service.kill();
    await created;
    // The node would respond now, like a node that kills the service only at its second call.
    hanging.be({});
    const before = [hanging.calls, other.calls] as const;
    await service.start();
    await until('checks', () => other.calls > before[1] + 3);
    for (let i = 0; i < 20; i += 1)
      expect((await service.rpc('killed', { method: 'eth_getBalance', params: [i] })).status).toBe(200);
    await sleep(1000);
    expect(hanging.calls).toBe(before[0]);
    await Promise.all([hanging.stop(), other.stop()]);
  });
});
