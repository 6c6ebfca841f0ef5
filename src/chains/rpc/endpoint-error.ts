/**
 * How an endpoint fails, `overloaded` where its answer found no memory, `interrupted` where a process ended in a call to
 * it; also the outcomes that the metrics tell apart.
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

/** No endpoint of a pool could answer, or the pool has as many calls under way as it may (`overloaded`). */
export class RpcUnavailableError extends Error {
  constructor(readonly failure: EndpointFailure) {
    super(`No RPC endpoint answered (${failure})`);
    this.name = 'RpcUnavailableError';
  }
}
