import { OutboundError, type OutboundFailure } from '../../outbound/outbound-error';
import type { SignerFailureReason } from '../signer-failure';

const MAX_CAUSES = 5;
const TIMEOUT =
  /^(TimeoutError|AbortError|ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/;
/** Error codes of Node's sockets, resolver and TLS, and of fetch. */
const NO_CONNECTION =
  /^(E(CONN[A-Z]+|PIPE|HOST[A-Z]+|NET[A-Z]+|NOTFOUND|AI_[A-Z]+|PROTO)|UND_ERR_SOCKET|ERR_(TLS|SSL)_\w+|\w*CERT\w*|UNABLE_TO_\w+)$/;

/** The reason behind an HTTP status of a key service; undefined for success or an unknown status. */
export function reasonOfStatus(status = 0): SignerFailureReason | undefined {
  if (status === 429) return 'throttled';
  if (status === 408 || status === 504) return 'timeout';
  if (status >= 500) return 'unreachable';
  return status >= 400 ? 'refused' : undefined;
}

/** A call that the guard refuses looks like any unreachable address: only the operator may know the reason. */
const OUTBOUND_REASONS: Record<OutboundFailure, SignerFailureReason> = {
  refused: 'unreachable',
  dns: 'unreachable',
  connection: 'unreachable',
  tls: 'unreachable',
  cut_off: 'unreachable',
  overloaded: 'busy',
  timeout: 'timeout',
  aborted: 'timeout',
  too_large: 'invalid_response',
};

/** The reason behind a connection error, by the codes and names of its causes; undefined for any other error. */
export function reasonOfConnection(error: unknown): SignerFailureReason | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof cause === 'object' && cause !== null; depth += 1) {
    if (cause instanceof OutboundError) return OUTBOUND_REASONS[cause.failure];
    const { name, code, cause: next } = cause as { name?: unknown; code?: unknown; cause?: unknown };
    const labels = [name, code].filter((label) => typeof label === 'string');
    // Codes first: the AWS SDK calls a connection reset a TimeoutError.
    if (labels.some((label) => NO_CONNECTION.test(label))) return 'unreachable';
    if (labels.some((label) => TIMEOUT.test(label))) return 'timeout';
    cause = next;
  }
  return undefined;
}
