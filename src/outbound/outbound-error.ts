/**
 * How a call failed:
 *
 * - `refused`: the guard does not allow the address, or the URL cannot be called;
 * - `dns`: the name has no address;
 * - `connection`: no connection could be established, or it was closed before the first byte of a response arrived;
 * - `tls`: the TLS handshake failed, or the certificate is not valid for the host;
 * - `timeout`: it took longer than the caller allows;
 * - `too_large`: the response is longer than the caller allows;
 * - `overloaded`: the responses of all calls occupy all the memory available to them;
 * - `cut_off`: the response began but did not end, or is not HTTP;
 * - `aborted`: by the caller, or because the service is stopping.
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

/** A call without a usable response. The message is safe to log: it contains at most the host and port. */
export class OutboundError extends Error {
  constructor(
    readonly failure: OutboundFailure,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundError';
  }
}
