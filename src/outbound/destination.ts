import { isIPv6 } from 'node:net';
import { errorCodeOf } from '../common/errors/error-cause';
import type { OutboundPurpose } from '../config/outbound-allow';
import { OutboundError, type OutboundFailure } from './outbound-error';

const TLS_ERROR =
  /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|HOSTNAME_)|_CERT/;

/**
 * What a connection is for. `machine-identity` is the endpoint at which the platform issues credentials to the service.
 * The vendor's client or the environment determines it, never a setting or a caller.
 */
export type DestinationPurpose = OutboundPurpose | 'machine-identity';

/** Where to connect to, and for what purpose. */
export interface Destination {
  purpose: DestinationPurpose;
  /** Whether it is an endpoint that a client has chosen for a relayer. */
  isCustom?: boolean;
  secure: boolean;
  /** Without brackets. */
  hostname: string;
  port: number;
}

/** Creates an error that contains the host and port, but no other part of the URL. */
export function failure(kind: OutboundFailure, to: Destination, text: string): OutboundError {
  const host = isIPv6(to.hostname) ? `[${to.hostname}]` : to.hostname;
  return new OutboundError(kind, `${host}:${to.port} ${text}`);
}

/** Describes a socket error by its code: codes are a closed set, whereas messages may contain anything. */
export function connectFailure(to: Destination, error: unknown): OutboundError {
  const code = errorCodeOf(error);
  const kind = code !== undefined && TLS_ERROR.test(code) ? 'tls' : 'connection';
  const text = kind === 'tls' ? 'does not agree on TLS' : 'cannot be reached';
  return failure(kind, to, code === undefined ? text : `${text} (${code})`);
}
