/** How an endpoint fails; also the outcomes that the metrics tell apart. */
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
  'wrong_chain',
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

/** No endpoint of a pool could answer, or the service has as many calls or answers to hold as it can (`overloaded`). */
export class RpcUnavailableError extends Error {
  constructor(readonly failure: EndpointFailure | 'overloaded') {
    super(`No RPC endpoint answered (${failure})`);
    this.name = 'RpcUnavailableError';
  }
}
