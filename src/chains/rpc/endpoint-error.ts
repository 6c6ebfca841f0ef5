/**
 * How an endpoint fails. `cut_off` if its response began but did not end, `overloaded` if there was no memory for the
 * response, `interrupted` if a process ended during a call to it. They are also the outcomes in the metrics.
 */
export const ENDPOINT_FAILURES = [
  'refused',
  'dns',
  'connection',
  'cut_off',
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

/** An endpoint failed; another one may succeed. The message contains neither the URL nor text from the node. */
export class EndpointError extends Error {
  constructor(
    readonly failure: EndpointFailure,
    text: string,
    /** How long to wait before the next call, if the endpoint specified it. */
    readonly retryAfterMs?: number,
  ) {
    super(text);
    this.name = 'EndpointError';
  }
}

/** A call was aborted because nobody waits for its response any more. This says nothing about the endpoint. */
export class AbandonedCallError extends Error {
  constructor() {
    super('Nobody waits for the response any more');
    this.name = 'AbandonedCallError';
  }
}

/** The failure of a call that an endpoint rejected with an HTTP status. */
export const rejected = (status: number): EndpointError =>
  new EndpointError('rejected', `The endpoint responded with ${status}`);

/** No endpoint of a pool responded, or the pool has the maximum number of calls in progress (`overloaded`). */
export class RpcUnavailableError extends Error {
  constructor(readonly failure: EndpointFailure) {
    super(`No RPC endpoint responded (${failure})`);
    this.name = 'RpcUnavailableError';
  }
}
