import { evmChain } from '../../src/chains/evm/evm-chain';
import type { JsonRpcResponse } from '../../src/chains/rpc/json-rpc';
import { RpcEndpoint } from '../../src/chains/rpc/rpc-endpoint';
import { RpcPool } from '../../src/chains/rpc/rpc-pool';
import { FakeNodes } from './fake-nodes';

/** How a node responds to methods: with a result, an error, or the return value of a function of the parameters. */
export type NodeResponses = Readonly<
  Record<string, JsonRpcResponse | ((params: readonly unknown[]) => JsonRpcResponse)>
>;

const UNKNOWN = { error: { code: -32601, message: 'the method does not exist/is not available' } };

/** A pool for chain 1 with two nodes, without a network. The first is always chosen as long as it is ready. */
export class FakePool {
  readonly nodes = new FakeNodes();
  readonly pool: RpcPool;

  private constructor(private readonly urls: readonly [string, string]) {
    this.pool = new RpcPool(
      urls.map((url) => ({
        endpoint: new RpcEndpoint(url, evmChain(1n), this.nodes.transport, () => 0),
        weight: 1,
      })),
      {},
      () => 0,
    );
  }

  /** Creates a pool whose endpoints are ready. */
  static async start(first: NodeResponses = {}, second: NodeResponses = {}): Promise<FakePool> {
    const fake = new FakePool(['https://first.example', 'https://second.example']);
    fake.first(first).second(second);
    await fake.pool.verify(0);
    return fake;
  }

  first(responses: NodeResponses): this {
    return this.respond(this.urls[0], responses);
  }

  second(responses: NodeResponses): this {
    return this.respond(this.urls[1], responses);
  }

  get states(): string[] {
    return this.pool.members.map(({ endpoint }) => endpoint.state);
  }

  /** The calls so far, except the queries for the chain, as [first or second, method]. */
  get received(): string[][] {
    return this.nodes.calls
      .map((call) => call.split(' '))
      .filter(([, method]) => method !== 'eth_chainId')
      .map(([url, method]) => [url === this.urls[0] ? 'first' : 'second', String(method)]);
  }

  private respond(url: string, responses: NodeResponses): this {
    const all: NodeResponses = { eth_chainId: { result: '0x1' }, ...responses };
    this.nodes.set(url, ({ method, params }) => {
      const response = all[method] ?? UNKNOWN;
      return typeof response === 'function' ? response(params as unknown[]) : response;
    });
    return this;
  }
}
