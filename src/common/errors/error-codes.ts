import { HttpStatus, type LogLevel } from '@nestjs/common';

/** RFC 6585, 5; missing in Nest's HttpStatus. */
const HEADERS_TOO_LARGE = 431;

/** How a failure is reported and logged. */
interface ErrorPolicy {
  status: HttpStatus | typeof HEADERS_TOO_LARGE;
  /** The level at which it is logged. */
  level: LogLevel;
  /** A description for clients, in the generated reference. */
  meaning: string;
}

const refused = (status: ErrorPolicy['status'], meaning: string): ErrorPolicy => ({
  status,
  level: 'debug',
  meaning,
});

/** Every failure that is reported to callers, by its code. The codes are also labels of the metrics. */
export const ERROR_POLICIES = {
  invalid_request: refused(
    HttpStatus.BAD_REQUEST,
    'The request breaks a rule; `error` names the field and the rule. Correct it; do not retry it as it is.',
  ),
  unauthorized: refused(
    HttpStatus.UNAUTHORIZED,
    'No valid credentials: neither one `Authorization: Bearer` header with a valid API key nor a valid signature.' +
      ' The response never says which is wrong.',
  ),
  forbidden: refused(
    HttpStatus.FORBIDDEN,
    'The API key may not do this; `error` names the scope that it lacks.',
  ),
  approval_required: refused(
    HttpStatus.FORBIDDEN,
    'The request needs the approval of other API keys and cannot wait for it; `error` says why.',
  ),
  signing_frozen: refused(
    HttpStatus.FORBIDDEN,
    'All signing was stopped by an operator, whose reason is in `error`.',
  ),
  relayer_paused: refused(HttpStatus.FORBIDDEN, 'The relayer is paused: `PATCH` it with `"paused": false`.'),
  relayer_disabled: refused(
    HttpStatus.FORBIDDEN,
    'The relayer failed its checks and the operation needs the chain; `error` has the reason.',
  ),
  transaction_not_allowed: refused(
    HttpStatus.FORBIDDEN,
    'A policy of the relayer forbids the transaction; `error` names the rule.',
  ),
  typed_data_not_allowed: refused(
    HttpStatus.FORBIDDEN,
    'A policy of the relayer forbids the typed data, or it is a native transaction of a ZKsync or Cosmos chain; `error` names the rule.',
  ),
  message_not_allowed: refused(
    HttpStatus.FORBIDDEN,
    'A policy of the relayer forbids the message; `error` names the rule.',
  ),
  route_not_found: refused(HttpStatus.NOT_FOUND, 'No route has this method and path.'),
  not_found: refused(
    HttpStatus.NOT_FOUND,
    'A route of a plugin did not find what the request names; `error` says what.',
  ),
  relayer_not_found: refused(HttpStatus.NOT_FOUND, 'No relayer has this id.'),
  notification_not_found: refused(
    HttpStatus.NOT_FOUND,
    'No notification has this id, or a relayer names one that does not exist.',
  ),
  delivery_not_found: refused(HttpStatus.NOT_FOUND, 'The notification has no delivery with this id.'),
  signer_not_found: refused(
    HttpStatus.NOT_FOUND,
    'No signer has this id, or a relayer names one that does not exist.',
  ),
  network_not_found: refused(HttpStatus.NOT_FOUND, 'No network has this id.'),
  api_key_not_found: refused(HttpStatus.NOT_FOUND, 'No API key has this id, or it was revoked.'),
  transaction_not_found: refused(
    HttpStatus.NOT_FOUND,
    'The relayer has no transaction with this id or nonce.',
  ),
  change_not_found: refused(HttpStatus.NOT_FOUND, 'No change has this id.'),
  metric_not_found: refused(HttpStatus.NOT_FOUND, 'No metric has this name.'),
  request_timeout: refused(HttpStatus.REQUEST_TIMEOUT, 'The request did not arrive in time.'),
  conflict: refused(
    HttpStatus.CONFLICT,
    'A route of a plugin cannot do this in the current state; `error` says why.',
  ),
  idempotency_conflict: refused(
    HttpStatus.CONFLICT,
    'The `Idempotency-Key` was used for a request with another body, or by a deleted relayer with the same id.',
  ),
  relayer_exists: refused(HttpStatus.CONFLICT, 'A relayer with this id exists.'),
  relayer_in_use: refused(
    HttpStatus.CONFLICT,
    'The relayer has transactions that are not final, pays for top-ups of another one, or a plugin still needs it.',
  ),
  account_in_use: refused(
    HttpStatus.CONFLICT,
    'Another relayer has this account (address and chain id); `error` names it.',
  ),
  signer_exists: refused(HttpStatus.CONFLICT, 'A signer with this id exists.'),
  signer_in_use: refused(
    HttpStatus.CONFLICT,
    'Relayers use the signer, or it already serves one on this network; `error` names them.',
  ),
  notification_exists: refused(HttpStatus.CONFLICT, 'A notification with this id exists.'),
  notification_in_use: refused(HttpStatus.CONFLICT, 'Relayers use the notification; `error` names them.'),
  too_many_subscribers: refused(
    HttpStatus.CONFLICT,
    'The maximum number of notifications name events that are sent regardless of the relayer (`signer_deleted`,' +
      ' `change_update`, those of plugins). Remove these events from another notification, or delete it.',
  ),
  network_exists: refused(HttpStatus.CONFLICT, 'A network with this id exists.'),
  network_in_use: refused(HttpStatus.CONFLICT, 'Relayers use the network; `error` names them.'),
  change_not_pending: refused(
    HttpStatus.CONFLICT,
    'The change was applied or rejected, or has failed or expired; `error` says which.',
  ),
  change_already_approved: refused(
    HttpStatus.CONFLICT,
    'This API key has already approved the change; others must approve it too.',
  ),
  change_conflict: refused(
    HttpStatus.CONFLICT,
    'The change was approved, but can no longer be applied; `error` says why. Request it again.',
  ),
  payload_too_large: refused(HttpStatus.PAYLOAD_TOO_LARGE, 'The body is larger than 1 MiB.'),
  unsupported_media_type: refused(
    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
    'The body is compressed: send it uncompressed.',
  ),
  expectation_failed: refused(HttpStatus.EXPECTATION_FAILED, 'The `Expect` header is not `100-continue`.'),
  rate_limited: refused(
    HttpStatus.TOO_MANY_REQUESTS,
    'The allowance is used up: retry after `Retry-After` seconds.',
  ),
  too_many_transactions: refused(
    HttpStatus.TOO_MANY_REQUESTS,
    'The relayer has the maximum number of open transactions. Retry when some of them are final.',
  ),
  too_many_changes: refused(
    HttpStatus.TOO_MANY_REQUESTS,
    'The maximum number of changes wait for approval. Retry when some of them were approved or rejected.',
  ),
  headers_too_large: refused(HEADERS_TOO_LARGE, 'The headers are larger than 16 KiB.'),
  row_altered: {
    status: HttpStatus.INTERNAL_SERVER_ERROR,
    level: 'error',
    meaning:
      'A stored row was changed outside of the service and is not used. Report it to the operator with the request id.',
  },
  internal_error: {
    status: HttpStatus.INTERNAL_SERVER_ERROR,
    level: 'error',
    meaning: 'A fault of the service. Report it to the operator with the request id.',
  },
  signer_unavailable: {
    status: HttpStatus.SERVICE_UNAVAILABLE,
    level: 'error',
    meaning: 'The key service of the signer failed; `error` says how. Retry later.',
  },
  network_unavailable: {
    status: HttpStatus.SERVICE_UNAVAILABLE,
    level: 'warn',
    meaning: 'No endpoint of the network responded. Retry later.',
  },
  overloaded: {
    status: HttpStatus.SERVICE_UNAVAILABLE,
    level: 'warn',
    meaning: 'The service is at one of its limits: retry after `Retry-After` seconds.',
  },
  unavailable: {
    status: HttpStatus.SERVICE_UNAVAILABLE,
    level: 'warn',
    meaning: 'The service, or what it depends on, cannot respond now. Retry later.',
  },
} as const satisfies Record<string, ErrorPolicy>;

export type ErrorCode = keyof typeof ERROR_POLICIES;

export const ERROR_CODES = Object.keys(ERROR_POLICIES) as ErrorCode[];
