import type { InternalCall } from './internal-call';
import type { JsonRpcError, JsonRpcResponse } from './json-rpc';

/**
 * Who is responsible for an error that a node returns.
 *
 * - `caller`: the call has its response, every node would return the same;
 * - `elsewhere`: this node cannot know or do it, but another one may; the endpoint is not at fault;
 * - `endpoint`: the endpoint cannot serve any call now.
 */
export type ErrorOwner = 'caller' | 'elsewhere' | 'endpoint';

/** What the endpoints of one chain need to know about it: everything that JSON-RPC itself leaves open. */
export interface RpcChain {
  /** The id of the chain, in the form in which {@link readId} returns it. */
  readonly id: string;
  /** Asks an endpoint which chain it serves. */
  readonly probe: InternalCall;
  /** The id in a response to {@link probe}. @throws MalformedResponseError */
  readonly readId: (response: JsonRpcResponse) => string;
  ownerOf(error: JsonRpcError): ErrorOwner;
  /** Whether the method only reads, so that concurrent identical calls can share one. */
  isSharedRead(method: string): boolean;
}
