/**
 * How a call failed:
 *
 * - `refused`: the guard does not allow the address, or the URL is none that can be called;
 * - `dns`: the name has no address;
 * - `connection`: no connection, or it was closed before anything of an answer came;
 * - `tls`: no agreement on TLS, or a certificate that does not fit;
 * - `timeout`: it took longer than the caller gave it;
 * - `too_large`: the answer is longer than the caller wants;
 * - `overloaded`: the answers of all calls take as much memory as they may;
 * - `cut_off`: the answer began and did not end, or is not HTTP;
 * - `aborted`: by the caller, or because the service stops.
 */
export const OUTBOUND_FAILURES = [
  'refused',
  'dns',
  'connection',
  'tls',
  'timeout',
  'too_large',
  'overloaded',
  'cut_off',
  'aborted',
] as const;

export type OutboundFailure = (typeof OUTBOUND_FAILURES)[number];

/** A call that brought no answer. The message is safe to log: it names host and port at most. */
export class OutboundError extends Error {
  constructor(
    readonly failure: OutboundFailure,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundError';
  }
}
