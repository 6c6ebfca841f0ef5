import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, until } from './private-servers';

const INSTALLED = join(__dirname, '../../build/tools/node_modules/.bin/anvil');

/** The program to run: on the PATH, else where `.ci/run` puts it; undefined where there is none. */
const PROGRAM = onPath('anvil') ? 'anvil' : existsSync(INSTALLED) ? INSTALLED : undefined;

export interface AnvilOptions {
  /** Default 31337. */
  chainId?: number;
  /** Default: a free one. */
  port?: number;
}

/**
 * A private EVM node on the loopback interface that mines a block for each transaction, shortly after it has answered the
 * hash. It keeps nothing: after `stop`, `start` serves a new chain on the same port.
 */
export class Anvil {
  readonly chainId: number;
  readonly port: number;
  private child: ChildProcess | undefined;
  private calls = 0;

  private constructor(chainId: number, port: number) {
    this.chainId = chainId;
    this.port = port;
  }

  /** Starts a node; it answers when the promise is fulfilled. */
  static async create({ chainId = 31_337, port }: AnvilOptions = {}): Promise<Anvil> {
    const anvil = new Anvil(chainId, port ?? (await freePort()));
    await anvil.start();
    return anvil;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    if (PROGRAM === undefined) throw new Error('anvil is not installed');
    const child = spawn(
      PROGRAM,
      [
        ...['--host', '127.0.0.1', '--port', String(this.port), '--chain-id', String(this.chainId)],
        ...['--hardfork', 'prague', '--silent'],
      ],
      { stdio: 'ignore' },
    );
    this.child = child;
    const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error));
    try {
      await Promise.race([failed, until('anvil', () => this.isServing(child))]);
    } catch (error) {
      await this.stop('SIGKILL');
      throw error;
    }
  }

  /** Ends the node and waits for its end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  /** Sends one JSON-RPC call. @throws Error with the text of the node's error */
  async rpc<T = unknown>(method: string, params: unknown[] = []): Promise<T> {
    this.calls += 1;
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.calls, method, params }),
      signal: AbortSignal.timeout(10_000),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Sets the balance of an account, in wei. */
  async setBalance(address: string, wei: bigint): Promise<void> {
    await this.rpc('anvil_setBalance', [address, `0x${wei.toString(16)}`]);
  }

  private async isServing(child: ChildProcess): Promise<boolean> {
    if (child.exitCode !== null) throw new Error(`anvil ended with code ${child.exitCode}`);
    try {
      return Number(await this.rpc<string>('eth_chainId')) === this.chainId;
    } catch {
      return false;
    }
  }
}

/** Declares a suite that needs anvil; without it the suite is named and skipped. */
export function describeWithAnvil(title: string, suite: () => void): void {
  if (PROGRAM === undefined && process.env.TEST_REQUIRE_SERVERS) {
    throw new Error('anvil is not installed, and TEST_REQUIRE_SERVERS allows no suite to be skipped');
  }
  (PROGRAM === undefined ? describe.skip : describe)(`${title} on anvil`, suite);
}

function onPath(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}
