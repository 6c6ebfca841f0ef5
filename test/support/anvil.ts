import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AnvilOptions, anvilParameters } from './anvil-options';
import { freePort, until } from './private-servers';

const INSTALLED = join(__dirname, '../../build/tools/node_modules/.bin/anvil');

/** The program to run: the one on the PATH, otherwise the one that `.ci/run` installs; undefined if there is none. */
const PROGRAM = onPath('anvil') ? 'anvil' : existsSync(INSTALLED) ? INSTALLED : undefined;

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
const quantity = (value: bigint | number): string => `0x${value.toString(16)}`;

/**
 * A private EVM node on the loopback interface. Unless its options specify otherwise, it mines a block for each
 * transaction, shortly after it has returned the hash. Nothing is stored: after `stop`, `start` serves a new chain on
 * the same port.
 */
export class Anvil {
  readonly chainId: number;
  readonly port: number;
  private child: ChildProcess | undefined;
  private calls = 0;

  private constructor(private readonly options: AnvilOptions & { chainId: number; port: number }) {
    this.chainId = options.chainId;
    this.port = options.port;
  }

  /** Starts a node, and resolves once it responds. */
  static async create({ chainId = 31_337, port, ...options }: AnvilOptions = {}): Promise<Anvil> {
    const anvil = new Anvil({ ...options, chainId, port: port ?? (await freePort()) });
    await anvil.start();
    return anvil;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    if (PROGRAM === undefined) throw new Error('anvil is not installed');
    const child = spawn(PROGRAM, anvilParameters(this.options), { stdio: 'ignore' });
    this.child = child;
    const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error));
    try {
      await Promise.race([failed, until('anvil', () => this.isServing(child))]);
    } catch (error) {
      await this.stop('SIGKILL');
      throw error;
    }
  }

  /** Stops the node, and resolves once it has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  /** Makes one JSON-RPC call. @throws Error with the text of the node's error */
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
    await this.rpc('anvil_setBalance', [address, quantity(wei)]);
  }

  /** Sets the next nonce of an account. */
  async setNonce(address: string, nonce: number): Promise<void> {
    await this.rpc('anvil_setNonce', [address, quantity(nonce)]);
  }

  /** Sets a 32-byte word in the storage of a contract. */
  async setStorage(address: string, slot: bigint, value: bigint): Promise<void> {
    await this.rpc('anvil_setStorageAt', [address, quantity(slot), word(value)]);
  }

  /** Sets the base fee of the next block, in wei. */
  async setNextBaseFee(wei: bigint): Promise<void> {
    await this.rpc('anvil_setNextBlockBaseFeePerGas', [quantity(wei)]);
  }

  /** Mines blocks now, the first of which contains the transactions in the pool. */
  async mine(blocks = 1): Promise<void> {
    await this.rpc('anvil_mine', [quantity(blocks)]);
  }

  /**
   * If on, each transaction gets a block immediately, and there are no blocks at intervals. If off, that ends, but
   * blocks at intervals continue.
   */
  async setAutomine(on: boolean): Promise<void> {
    await this.rpc('evm_setAutomine', [on]);
  }

  /** Mines a block at intervals of this many whole seconds; 0 stops this. */
  async setBlockTime(seconds: number): Promise<void> {
    await this.rpc('evm_setIntervalMining', [seconds]);
  }

  /**
   * Replaces the last `depth` blocks with the same number of empty ones. Their transactions disappear, from the pool as
   * well, but the height stays the same. Everything that has been set without a transaction since is undone too.
   */
  async reorg(depth: number): Promise<void> {
    await this.rpc('anvil_reorg', [depth, []]);
  }

  /** Removes a transaction from the pool, like a node that forgets it. */
  async dropTransaction(hash: string): Promise<void> {
    await this.rpc('anvil_dropTransaction', [hash]);
  }

  /** Empties the pool. */
  async dropAllTransactions(): Promise<void> {
    await this.rpc('anvil_dropAllTransactions');
  }

  /** @returns a snapshot for `revert`, which can be used once */
  snapshot(): Promise<string> {
    return this.rpc<string>('evm_snapshot');
  }

  /** Returns to a snapshot, undoing later blocks and everything that has been set since. */
  async revert(snapshot: string): Promise<void> {
    await this.rpc('evm_revert', [snapshot]);
  }

  /**
   * Sends a transaction from any account, without its key.
   *
   * @param transaction in the form of `eth_sendTransaction`
   * @returns the hash
   */
  async sendAs(from: string, transaction: object): Promise<string> {
    await this.rpc('anvil_impersonateAccount', [from]);
    return this.rpc<string>('eth_sendTransaction', [{ from, ...transaction }]);
  }

  /** The number of the newest block. */
  async blockNumber(): Promise<number> {
    return Number(await this.rpc<string>('eth_blockNumber'));
  }

  /** The number of an account's transactions in blocks (`latest`), or including those in the pool (`pending`). */
  async nonce(address: string, block: 'latest' | 'pending' = 'latest'): Promise<number> {
    return Number(await this.rpc<string>('eth_getTransactionCount', [address, block]));
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

/** Declares a suite that needs anvil. Without anvil, the suite is listed as skipped. */
export function describeWithAnvil(title: string, suite: () => void): void {
  if (PROGRAM === undefined && process.env.TEST_REQUIRE_SERVERS) {
    throw new Error('anvil is not installed, and TEST_REQUIRE_SERVERS allows no suite to be skipped');
  }
  (PROGRAM === undefined ? describe.skip : describe)(`${title} on anvil`, suite);
}

function onPath(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}
