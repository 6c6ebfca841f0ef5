import { isIPv6 } from 'node:net';
import { errorCodeOf } from '../common/errors/error-code-of';
import { OutboundError, type OutboundFailure } from './outbound-error';

const TLS_ERROR =
  /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|HOSTNAME_)|_CERT/;

/** Where to connect to: the parts of an origin. */
export interface Destination {
  secure: boolean;
  /** Without brackets. */
  hostname: string;
  port: number;
}

/** An error that names host and port, and nothing else of the URL. */
export function failure(kind: OutboundFailure, to: Destination, text: string): OutboundError {
  const host = isIPv6(to.hostname) ? `[${to.hostname}]` : to.hostname;
  return new OutboundError(kind, `${host}:${to.port} ${text}`);
}

/** How an error of a socket is told: codes come from a closed set, messages may hold anything. */
export function connectFailure(to: Destination, error: unknown): OutboundError {
  const code = errorCodeOf(error);
  const kind = code !== undefined && TLS_ERROR.test(code) ? 'tls' : 'connection';
  const text = kind === 'tls' ? 'does not agree on TLS' : 'cannot be reached';
  return failure(kind, to, code === undefined ? text : `${text} (${code})`);
}
