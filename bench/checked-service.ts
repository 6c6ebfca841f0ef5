/** The built service with relayers that it checks against nodes in this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/support/private-servers';
import { ScriptedNode } from '../test/support/scripted-node';
import { cpuSeconds, residentMegabytes } from './process';
import { productionFlags } from './production-flags';

const ROOT = join(__dirname, '..');
const COMMAND = [...productionFlags(ROOT), join(ROOT, 'dist/main.js')];
const FIRST_CHAIN_ID = 424_242;
const POSTS_AT_ONCE = 8;

export interface CheckedServiceOptions {
  name: string;
  /** In the form of `DATABASE_URL`; by default a SQLite file of the service's own. */
  database?: string;
  relayers: number;
  networks: number;
  /** The interval between checks of a relayer, in seconds. */
  interval: number;
}

/** The cost of one start: milliseconds until the line `Listening`, and the CPU time until then. */
export interface StartCost {
  ms: number;
  cpuMs: number;
}

/** The totals so far: checks, RPC calls of all checks, and seconds of CPU time. */
export interface CheckCounts {
  at: number;
  checks: number;
  failed: number;
  calls: number;
  cpu: number;
  rss: number;
}

export class CheckedService {
  readonly name: string;
  readonly starts: StartCost[] = [];
  private readonly relayers: number;
  private readonly folder = mkdtempSync(join(tmpdir(), 'relayer-bench-'));
  private readonly apiKey = randomBytes(32).toString('hex');
  private readonly env: NodeJS.ProcessEnv;
  private url = '';
  private child: ChildProcess | undefined;
  private ended: Promise<unknown> = Promise.resolve();

  private constructor(
    { name, database, relayers, interval }: CheckedServiceOptions,
    private readonly nodes: ScriptedNode[],
  ) {
    this.name = name;
    this.relayers = relayers;
    this.env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      API_KEY: this.apiKey,
      STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: database ?? `sqlite:${join(this.folder, 'relayer.sqlite')}`,
      RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
      RATE_LIMIT_BURST_SIZE: '1000000',
      RELAYER_CHECK_INTERVAL_SECONDS: String(interval),
      OUTBOUND_ALLOW: '127.0.0.0/8',
    };
  }

  static async create(options: CheckedServiceOptions): Promise<CheckedService> {
    const nodes: ScriptedNode[] = [];
    for (let i = 0; i < options.networks; i += 1) nodes.push(await ScriptedNode.start(FIRST_CHAIN_ID + i));
    const service = new CheckedService(options, nodes);
    try {
      await service.start();
      await service.fill();
      await service.stop();
    } catch (error) {
      await service.destroy();
      throw error;
    }
    return service;
  }

  async start(): Promise<StartCost> {
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    const log = openSync(join(this.folder, 'log'), 'a');
    const startedAt = performance.now();
    const child = spawn(process.execPath, COMMAND, {
      env: { ...this.env, PORT: String(port) },
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    this.child = child;
    const ended = once(child, 'exit');
    this.ended = ended;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
        if (output.includes('"Listening"')) return;
        output += chunk;
        if (output.includes('"Listening"')) resolve();
      });
      void ended.then(() => {
        reject(new Error(`The service ended:\n${output}${this.errors()}`));
      });
    });
    return { ms: performance.now() - startedAt, cpuMs: cpuSeconds(child.pid!) * 1000 };
  }

  async stop(): Promise<void> {
    this.child?.kill('SIGTERM');
    await this.ended;
  }

  async counts(): Promise<CheckCounts> {
    const pid = this.child!.pid!;
    const response = await fetch(`${this.url}/metrics/relayer_check_duration_seconds`);
    const counts = (await response.text()).matchAll(/_count\{outcome="(\w+)"\} (\d+)/g);
    const byOutcome: Record<string, number> = Object.fromEntries(
      [...counts].map(([, outcome = '', count]) => [outcome, Number(count)]),
    );
    return {
      at: performance.now(),
      checks: byOutcome.passed ?? 0,
      failed: (byOutcome.failed ?? 0) + (byOutcome.error ?? 0),
      calls: this.nodes.reduce((sum, { calls }) => sum + calls, 0),
      cpu: cpuSeconds(pid),
      rss: residentMegabytes(pid),
    };
  }

  async destroy(): Promise<void> {
    await this.stop();
    for (const node of this.nodes) await node.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async fill(): Promise<void> {
    for (const [i, { url }] of this.nodes.entries()) {
      const network = {
        name: `bench-${i}`,
        network_type: 'evm',
        chain_id: FIRST_CHAIN_ID + i,
        rpc_urls: [url],
      };
      await this.post('networks', network);
    }
    const ids = Array.from({ length: this.relayers }, (_, i) => i);
    const worker = async (): Promise<void> => {
      for (let i = ids.pop(); i !== undefined; i = ids.pop()) await this.addRelayer(i);
    };
    await Promise.all(Array.from({ length: POSTS_AT_ONCE }, worker));
  }

  private async addRelayer(i: number): Promise<void> {
    const id = `bench-${i}`;
    const config = { key: randomBytes(32).toString('hex') };
    await this.post('signers', { id, type: 'plain', config });
    await this.post('relayers', {
      id,
      name: id,
      network: `bench-${i % this.nodes.length}`,
      network_type: 'evm',
      signer_id: id,
      paused: false,
    });
  }

  private async post(resource: string, body: object): Promise<void> {
    const response = await fetch(`${this.url}/api/v1/${resource}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${resource}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }

  private errors(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8').slice(-4000);
  }
}
