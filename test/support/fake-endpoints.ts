import { evmChain } from '../../src/chains/evm/evm-chain';
import type { JsonRpcResponse } from '../../src/chains/rpc/json-rpc';
import { RpcEndpoint } from '../../src/chains/rpc/rpc-endpoint';
import { RpcPool } from '../../src/chains/rpc/rpc-pool';
import { FakeNodes } from './fake-nodes';

/**
 * How an endpoint responds to every call except the query for its chain: not at all, or with the result of a function
 * of the method and its parameters.
 */
export type Statement = 'silent' | ((method: string, params: readonly unknown[]) => JsonRpcResponse);

/** A pool for chain 1 with any number of endpoints, without a network. The endpoints may respond differently. */
export class FakeEndpoints {
  readonly nodes = new FakeNodes();
  readonly pool: RpcPool;
  /** The endpoint that is tried first as long as it is ready. */
  chosen = 0;

  constructor(statements: readonly Statement[]) {
    const members = statements.map((statement, i) => {
      const url = `https://${i}.example`;
      if (statement === 'silent') this.nodes.set(url, 'connection');
      else
        this.nodes.set(url, ({ method, params }) =>
          method === 'eth_chainId' ? { result: '0x1' } : statement(method, params as unknown[]),
        );
      return { endpoint: new RpcEndpoint(url, evmChain(1n), this.nodes.transport, () => 0), weight: 1 };
    });
    this.pool = new RpcPool(members, {}, () => (this.chosen + 0.5) / statements.length);
  }

  /** How often a method has been called so far, at all endpoints. */
  count(method: string): number {
    return this.nodes.calls.filter((call) => call.endsWith(method)).length;
  }
}
