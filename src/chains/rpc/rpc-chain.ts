import type { InternalCall } from './internal-call';
import type { JsonRpcError, JsonRpcResponse } from './json-rpc';

/**
 * Who is responsible for an error that a node returns.
 *
 * - `caller`: the call was answered, and every node would return the same;
 * - `elsewhere`: this node cannot provide the result, but another may; the endpoint is not at fault;
 * - `endpoint`: the endpoint cannot currently serve any call.
 */
export type ErrorOwner = 'caller' | 'elsewhere' | 'endpoint';

/** What endpoints need to know about their chain: everything that JSON-RPC itself does not define. */
export interface RpcChain {
  /** The id of the chain, in the form in which {@link readId} returns it. */
  readonly id: string;
  /** The call that queries which chain an endpoint serves. */
  readonly probe: InternalCall;
  /** The id in a response to {@link probe}. @throws MalformedResponseError */
  readonly readId: (response: JsonRpcResponse) => string;
  ownerOf(error: JsonRpcError): ErrorOwner;
  /** Whether the method only reads, so that concurrent identical calls can share one. */
  isSharedRead(method: string): boolean;
}
