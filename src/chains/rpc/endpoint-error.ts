/**
 * How an endpoint fails, `overloaded` where there was no memory for its response, `interrupted` where a process ended during a
 * call to it. The metrics have the same outcomes.
 */
export const ENDPOINT_FAILURES = [
  'refused',
  'dns',
  'connection',
  'tls',
  'timeout',
  'rate_limited',
  'rejected',
  'http',
  'malformed',
  'too_large',
  'overloaded',
  'wrong_chain',
  'interrupted',
  'node',
] as const;

export type EndpointFailure = (typeof ENDPOINT_FAILURES)[number];

/** An endpoint did not do its part; another one may. The text names no URL and nothing that the node said. */
export class EndpointError extends Error {
  constructor(
    readonly failure: EndpointFailure,
    text: string,
    /** How long the endpoint wants to be left alone, where it said so. */
    readonly retryAfterMs?: number,
  ) {
    super(text);
    this.name = 'EndpointError';
  }
}

/** No endpoint of a pool responded, or the pool has as many calls in progress as it may (`overloaded`). */
export class RpcUnavailableError extends Error {
  constructor(readonly failure: EndpointFailure) {
    super(`No RPC endpoint responded (${failure})`);
    this.name = 'RpcUnavailableError';
  }
}
