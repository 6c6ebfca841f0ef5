import type { CallJournal } from '../../src/chains/rpc/call-journal';
import { EndpointError, type EndpointFailure } from '../../src/chains/rpc/endpoint-error';
import type { JsonRpcResponse, JsonRpcCall, JsonRpcError } from '../../src/chains/rpc/json-rpc';
import { BytePieces } from '../../src/common/http/byte-pieces';
import type { NodeResponse } from '../../src/chains/rpc/response/node-response';
import type { RpcPool } from '../../src/chains/rpc/rpc-pool';
import type { RpcTransport } from '../../src/chains/rpc/rpc-transport';

/** How a fake node responds: with a failure of its endpoint, or a response. */
export type Behaviour = EndpointFailure | ((call: JsonRpcCall) => JsonRpcResponse | Promise<JsonRpcResponse>);

/** A journal without interruptions. */
export const EMPTY_JOURNAL: CallJournal = {
  interruptionOf: () => Promise.resolve(undefined),
  interruptionAfterOthers: () => Promise.resolve(undefined),
  watch: (_url, work) => work(),
};

/** A response in the form that the transport returns. */
export function asReceived(response: JsonRpcResponse): NodeResponse {
  const content =
    'error' in response
      ? { error: bytesOf(response.error), content: response.error }
      : { result: bytesOf(response.result) };
  return { ...content, handOver: () => undefined, release: () => undefined };
}

/** The values in a response. */
export function valuesOf(response: NodeResponse): JsonRpcResponse {
  return 'error' in response
    ? { error: JSON.parse(response.error.toString()) as JsonRpcError }
    : { result: JSON.parse(response.result.toString()) as unknown };
}

/** Forwards a call through a pool, and parses the response. */
export async function ask(pool: RpcPool, call: JsonRpcCall): Promise<JsonRpcResponse> {
  return valuesOf(await pool.forward(call, 1_000_000));
}

const bytesOf = (value: unknown): BytePieces => new BytePieces([Buffer.from(JSON.stringify(value))]);

/** Nodes by URL, behind a transport without a network. Every call to them is recorded. */
export class FakeNodes {
  readonly calls: string[] = [];
  private readonly behaviours = new Map<string, Behaviour>();

  /** Sets a node of chain 1 that responds to every call with its own URL. */
  well(url: string): this {
    return this.set(url, ({ method }) => ({ result: method === 'eth_chainId' ? '0x1' : url }));
  }

  set(url: string, behaviour: Behaviour): this {
    this.behaviours.set(url, behaviour);
    return this;
  }

  /** How often a method was called at a node. */
  count(url: string, method: string): number {
    return this.calls.filter((call) => call === `${url} ${method}`).length;
  }

  /** The number of calls in each batch, in the order of arrival. */
  readonly batches: number[] = [];
  private readonly withoutBatches = new Set<string>();

  /** Makes a node refuse batches. */
  refuseBatches(url: string): this {
    this.withoutBatches.add(url);
    return this;
  }

  readonly transport: RpcTransport = {
    call: async (url, call) => {
      this.calls.push(`${url} ${call.method}`);
      return asReceived(await this.respond(url, call));
    },
    callAll: async (url, calls) => {
      this.batches.push(calls.length);
      if (this.withoutBatches.has(url)) return undefined;
      this.calls.push(...calls.map(({ method }) => `${url} ${method}`));
      const responses = await Promise.all(calls.map((call) => this.respond(url, call)));
      return { contents: responses.map(asReceived), release: () => undefined };
    },
  };

  private async respond(url: string, call: JsonRpcCall): Promise<JsonRpcResponse> {
    const behaviour = this.behaviours.get(url) ?? 'dns';
    await Promise.resolve();
    if (typeof behaviour === 'string') throw new EndpointError(behaviour, `fails with ${behaviour}`);
    return behaviour(call);
  }
}
