import { evmChain } from '../../src/chains/evm/evm-chain';
import type { JsonRpcResponse } from '../../src/chains/rpc/json-rpc';
import { RpcEndpoint } from '../../src/chains/rpc/rpc-endpoint';
import { RpcPool } from '../../src/chains/rpc/rpc-pool';
import { FakeNodes } from './fake-nodes';

/** What an endpoint does with every call but that for its chain: nothing, or what a function of the method returns. */
export type Statement = 'silent' | ((method: string) => JsonRpcResponse);

/** A pool of chain 1 over any number of endpoints without a network, which may state different things. */
export class FakeEndpoints {
  readonly nodes = new FakeNodes();
  readonly pool: RpcPool;
  /** The endpoint that is tried first while it is ready. */
  chosen = 0;

  constructor(statements: readonly Statement[]) {
    const members = statements.map((statement, i) => {
      const url = `https://${i}.example`;
      if (statement === 'silent') this.nodes.set(url, 'connection');
      else
        this.nodes.set(url, ({ method }) =>
          method === 'eth_chainId' ? { result: '0x1' } : statement(method),
        );
      return { endpoint: new RpcEndpoint(url, evmChain(1n), this.nodes.transport, () => 0), weight: 1 };
    });
    this.pool = new RpcPool(members, {}, () => (this.chosen + 0.5) / statements.length);
  }

  /** How often a method was called so far, at all of them. */
  count(method: string): number {
    return this.nodes.calls.filter((call) => call.endsWith(method)).length;
  }
}
