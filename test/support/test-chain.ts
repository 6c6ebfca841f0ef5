import { Anvil } from './anvil';
import type { AnvilOptions } from './anvil-options';
import { FaultyProxy } from './faulty-proxy/faulty-proxy';

export const CHAIN_ID = 424_242;

export interface TestChainOptions extends AnvilOptions {
  /** The number of proxies in front of the node, each with faults of its own. Default 1. */
  proxies?: number;
  /** The seed for the chances of faults. */
  seed?: string;
}

/** A private node, and the proxies through which the service reaches it. */
export class TestChain {
  private readonly others: FaultyProxy[] = [];

  private constructor(
    readonly node: Anvil,
    readonly proxies: readonly FaultyProxy[],
  ) {}

  static async start({ proxies = 1, seed = 'chain', ...options }: TestChainOptions = {}): Promise<TestChain> {
    const node = await Anvil.create({ chainId: CHAIN_ID, ...options });
    const started = Array.from({ length: proxies }, (_, index) =>
      FaultyProxy.start(node.url, { seed: `${seed} ${index}` }),
    );
    return new TestChain(node, await Promise.all(started));
  }

  /** The first proxy. */
  get proxy(): FaultyProxy {
    return this.proxies[0]!;
  }

  /** The URLs of the proxies. */
  get urls(): string[] {
    return this.proxies.map(({ url }) => url);
  }

  /** Starts another proxy, which only the caller knows. */
  async addProxy(): Promise<FaultyProxy> {
    const proxy = await FaultyProxy.start(this.node.url, { seed: `proxy ${this.others.length}` });
    this.others.push(proxy);
    return proxy;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.proxies, ...this.others].map((proxy) => proxy.stop()));
    await this.node.stop();
  }
}
