/**
 * How a call failed:
 *
 * - `refused`: the guard does not allow the address, or the URL cannot be called;
 * - `dns`: the name has no address;
 * - `connection`: no connection, or it was closed before any byte of a response arrived;
 * - `tls`: the TLS handshake failed, or the certificate is not valid for the host;
 * - `timeout`: it took longer than the caller allows;
 * - `too_large`: the response is longer than the caller allows;
 * - `overloaded`: the responses of all calls use all the memory that they may;
 * - `cut_off`: the response began and did not end, or is not HTTP;
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

/** A call that got no response. The message is safe to log: it names host and port at most. */
export class OutboundError extends Error {
  constructor(
    readonly failure: OutboundFailure,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundError';
  }
}
