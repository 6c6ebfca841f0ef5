/** The built service in a process of its own, as in production, with relayers that can sign. */
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Running, start } from './process';
import { productionFlags } from './production-flags';
import type { Target } from './load';
import { freePort, until } from '../test/support/private-servers';

const MAIN = join(__dirname, '../dist/main.js');
const PROFILES = join(__dirname, '../build/bench');
export const NETWORK = { name: 'bench', network_type: 'evm', chain_id: 424242 };
const RELAYERS = 10;

export interface ServiceOptions {
  /** Whether the process writes a CPU profile to build/bench. */
  profile?: boolean;
  /** A script that the process runs first. */
  preload?: string;
  /** The program to run; by default that of this build. */
  main?: string;
  /** Options for Node itself, in addition to those of production. */
  nodeOptions?: string[];
  /** Additional environment variables. */
  settings?: NodeJS.ProcessEnv;
}

export class BenchedService implements Target {
  readonly process: Running;
  readonly apiKey = randomBytes(32).toString('hex');
  readonly url: string;
  readonly folder = mkdtempSync(join(tmpdir(), 'relayer-bench-'));

  private constructor(
    port: number,
    { profile, preload, nodeOptions = [], settings, main = MAIN }: ServiceOptions,
    database?: string,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    const log = openSync(join(this.folder, 'log'), 'a');
    this.process = start(
      [
        ...productionFlags(join(dirname(main), '..')),
        ...nodeOptions,
        ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`] : []),
        ...(preload ? ['--require', preload] : []),
        main,
      ],
      {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        API_KEY: this.apiKey,
        STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        DATABASE_URL: database ?? `sqlite:${join(this.folder, 'relayer.sqlite')}`,
        // Requests are counted, but none is refused.
        RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
        RATE_LIMIT_BURST_SIZE: '1000000',
        ...settings,
      },
      log,
    );
    closeSync(log);
  }

  /** @param database in the form of `DATABASE_URL`; by default a SQLite file of the service's own */
  static async create(options: ServiceOptions = {}, database?: string): Promise<BenchedService> {
    const service = new BenchedService(await freePort(), options, database);
    try {
      await until('the service', () => service.responses());
      await service.fill();
    } catch (error) {
      process.stderr.write(readFileSync(join(service.folder, 'log'), 'utf8').slice(-4000));
      await service.destroy();
      throw error;
    }
    return service;
  }

  get pid(): number {
    return this.process.pid;
  }

  get relayerIds(): string[] {
    return Array.from({ length: RELAYERS }, (_, i) => `bench-${i}`);
  }

  /** Relayers with a notification that does not subscribe to signatures. */
  get notifiedIds(): string[] {
    return this.relayerIds.map((id) => `${id}-notified`);
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' };
  }

  private async responses(): Promise<boolean> {
    if (this.process.child.exitCode !== null) throw new Error('The service ended');
    return fetch(`${this.url}/v1/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** The network has no RPC endpoint, so that only signing takes place. */
  private async fill(): Promise<void> {
    await this.post('/api/v1/networks', NETWORK);
    await this.post('/api/v1/notifications', { id: 'bench', url: 'https://hooks.example.com/bench' });
    for (const id of [...this.relayerIds, ...this.notifiedIds]) {
      const config = { key: randomBytes(32).toString('hex') };
      await this.post('/api/v1/signers', { id, type: 'plain', config });
      await this.post('/api/v1/relayers', {
        id,
        name: id,
        network: NETWORK.name,
        network_type: NETWORK.network_type,
        signer_id: id,
        paused: false,
        ...(this.notifiedIds.includes(id) && { notification_id: 'bench' }),
      });
    }
  }

  async post(path: string, body: object): Promise<void> {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: this.headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  }

  async destroy(): Promise<void> {
    await this.process.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
