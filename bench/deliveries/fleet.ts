/** Instances of the built service on one database, each in a process of its own that can be killed and restarted. */
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { type Call, type HttpResponse, send } from '../../test/support/http';
import { freePort, until } from '../../test/support/private-servers';
import { type Running, start } from '../process';
import { productionFlags } from '../production-flags';

const ROOT = join(__dirname, '../..');
const COMMAND = [...productionFlags(ROOT), join(ROOT, 'dist/main.js')];
const NETWORK = { name: 'bench', network_type: 'evm', chain_id: 424242 };
const CALL_MS = 20_000;
/**
 * Each call has a connection of its own: an instance may close a kept-alive connection just as the next call uses it.
 */
const UNPOOLED = new Agent({ keepAlive: false, maxSockets: 64 });
/** The share of kills that hit an instance while it is still starting. */
const KILLED_WHILE_STARTING = 0.1;
const LONGEST_START_MS = 1500;

interface FleetOptions {
  instances?: number;
  /** In the form of `DATABASE_URL`. */
  database: string;
  /** In the form of `REDIS_URL`. */
  redis?: string;
  /** Additional environment variables. */
  env?: NodeJS.ProcessEnv;
}

export class Fleet {
  readonly instances: { port: number; process?: Running }[] = [];
  private readonly apiKey = randomBytes(32).toString('hex');
  private readonly folder = mkdtempSync(join(tmpdir(), 'relayer-fleet-'));
  private readonly log = join(this.folder, 'log');
  private readonly env: NodeJS.ProcessEnv;

  private constructor({ database, redis, env }: FleetOptions) {
    this.env = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      API_KEY: this.apiKey,
      STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: database,
      // Requests are counted, but none is refused.
      RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
      RATE_LIMIT_BURST_SIZE: '1000000',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      RELAYER_CHECK_INTERVAL_SECONDS: '0',
      ...(redis && { REDIS_URL: redis }),
      ...env,
    };
  }

  static async create({ instances = 1, ...options }: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(options);
    for (let index = 0; index < instances; index += 1) {
      fleet.instances.push({ port: await freePort() });
      try {
        await fleet.start(index);
      } catch (error) {
        process.stderr.write(readFileSync(fleet.log, 'utf8').slice(-4000));
        await fleet.destroy();
        throw error;
      }
    }
    return fleet;
  }

  /** Starts an instance on its previous port. */
  spawn(index: number): void {
    const instance = this.instances[index]!;
    const log = openSync(this.log, 'a');
    instance.process = start(COMMAND, { ...this.env, PORT: String(instance.port) }, log);
    closeSync(log);
  }

  async start(index: number): Promise<void> {
    this.spawn(index);
    await until('the service', () => this.isReady(index));
  }

  private async isReady(index: number): Promise<boolean> {
    const { child } = this.processOf(index);
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}`);
    return this.call(index, 'GET', '/api/v1/relayers?per_page=1').then(
      (status) => status === 200,
      () => false,
    );
  }

  /** The process of an instance that has been started. */
  processOf(index: number): Running {
    return this.instances[index]!.process!;
  }

  kill(index: number): Promise<void> {
    const { child, ended } = this.processOf(index);
    child.kill('SIGKILL');
    return ended;
  }

  /** Stops an instance at an arbitrary point, and lets it continue after a while as if nothing had happened. */
  async hang(index: number, milliseconds: number): Promise<void> {
    const { child } = this.processOf(index);
    child.kill('SIGSTOP');
    await sleep(milliseconds);
    child.kill('SIGCONT');
  }

  /**
   * Kills an instance and starts it again. Sometimes it is killed once more while it is starting.
   *
   * @param random from 0 to 1
   */
  async killAndStart(index: number, random: () => number = Math.random): Promise<void> {
    await this.kill(index);
    if (random() < KILLED_WHILE_STARTING) {
      this.spawn(index);
      await sleep(random() * LONGEST_START_MS);
      await this.kill(index);
    }
    await this.start(index);
  }

  /**
   * Makes a call and returns the whole response. @throws Error if the connection breaks or the response takes too long
   */
  exchange(index: number, call: Call): Promise<HttpResponse> {
    const url = `http://127.0.0.1:${this.instances[index]!.port}`;
    const headers = { authorization: `Bearer ${this.apiKey}`, ...call.headers };
    return send(url, { ...call, headers, signal: AbortSignal.timeout(CALL_MS) }, UNPOOLED);
  }

  /** Makes a call and returns the status. */
  async call(index: number, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<number> {
    const response = await request(`http://127.0.0.1:${this.instances[index]!.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      headersTimeout: CALL_MS,
      bodyTimeout: CALL_MS,
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.body.dump();
    return response.statusCode;
  }

  private async post(path: string, body: object): Promise<void> {
    const status = await this.call(0, 'POST', path, body);
    if (status !== 201) throw new Error(`POST ${path}: ${status}`);
  }

  /** Adds a relayer for each URL, to which its changes are reported. Returns the ids. */
  async addRelayers(urls: string[], paused = false): Promise<string[]> {
    await this.post('/api/v1/networks', NETWORK);
    const ids = urls.map((_, index) => `relayer-${index}`);
    for (const [index, id] of ids.entries()) {
      await this.post('/api/v1/notifications', { id, type: 'webhook', url: urls[index] });
      await this.post('/api/v1/signers', {
        id,
        type: 'plain',
        config: { key: randomBytes(32).toString('hex') },
      });
      const { name: network, network_type } = NETWORK;
      const relayer = {
        id,
        name: id,
        network,
        network_type,
        signer_id: id,
        notification_id: id,
        paused,
      };
      await this.post('/api/v1/relayers', relayer);
    }
    return ids;
  }

  async destroy(): Promise<void> {
    await Promise.all(this.instances.map(async ({ process: instance }) => instance?.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
