import { EndpointError, type EndpointFailure } from '../../src/networks/rpc/endpoint-error';
import type { JsonRpcAnswer, JsonRpcCall } from '../../src/networks/rpc/json-rpc';
import type { RpcTransport } from '../../src/networks/rpc/rpc-transport';

/** How a fake node answers: a failure of its endpoint, or an answer. */
export type Behaviour = EndpointFailure | ((call: JsonRpcCall) => JsonRpcAnswer | Promise<JsonRpcAnswer>);

/** Nodes by URL behind a transport without a network; every call to them is on record. */
export class FakeNodes {
  readonly calls: string[] = [];
  private readonly behaviours = new Map<string, Behaviour>();

  /** A node of chain 1 that answers every call with its own URL. */
  well(url: string): this {
    return this.set(url, ({ method }) => ({ result: method === 'eth_chainId' ? '0x1' : url }));
  }

  set(url: string, behaviour: Behaviour): this {
    this.behaviours.set(url, behaviour);
    return this;
  }

  /** How often a node was called with a method. */
  count(url: string, method: string): number {
    return this.calls.filter((call) => call === `${url} ${method}`).length;
  }

  readonly transport: RpcTransport = async (url, call) => {
    this.calls.push(`${url} ${call.method}`);
    const behaviour = this.behaviours.get(url) ?? 'dns';
    await Promise.resolve();
    if (typeof behaviour === 'string') throw new EndpointError(behaviour, `fails with ${behaviour}`);
    return behaviour(call);
  };
}
