import { HttpStatus, type LogLevel } from '@nestjs/common';

/** RFC 6585, 5; not in Nest's HttpStatus. */
const HEADERS_TOO_LARGE = 431;

/** How a failure is reported: its HTTP status and log level. */
interface ErrorPolicy {
  status: HttpStatus | typeof HEADERS_TOO_LARGE;
  level: LogLevel;
}

const refused = (status: ErrorPolicy['status']): ErrorPolicy => ({ status, level: 'debug' });

/** Every failure that is reported to a caller. The labels of the metrics come from here too. */
export const ERROR_POLICIES = {
  invalid_request: refused(HttpStatus.BAD_REQUEST),
  unauthorized: refused(HttpStatus.UNAUTHORIZED),
  signing_frozen: refused(HttpStatus.FORBIDDEN),
  relayer_paused: refused(HttpStatus.FORBIDDEN),
  relayer_disabled: refused(HttpStatus.FORBIDDEN),
  transaction_not_allowed: refused(HttpStatus.FORBIDDEN),
  typed_data_not_allowed: refused(HttpStatus.FORBIDDEN),
  message_not_allowed: refused(HttpStatus.FORBIDDEN),
  route_not_found: refused(HttpStatus.NOT_FOUND),
  relayer_not_found: refused(HttpStatus.NOT_FOUND),
  notification_not_found: refused(HttpStatus.NOT_FOUND),
  delivery_not_found: refused(HttpStatus.NOT_FOUND),
  signer_not_found: refused(HttpStatus.NOT_FOUND),
  network_not_found: refused(HttpStatus.NOT_FOUND),
  metric_not_found: refused(HttpStatus.NOT_FOUND),
  request_timeout: refused(HttpStatus.REQUEST_TIMEOUT),
  relayer_exists: refused(HttpStatus.CONFLICT),
  relayer_in_use: refused(HttpStatus.CONFLICT),
  account_in_use: refused(HttpStatus.CONFLICT),
  signer_exists: refused(HttpStatus.CONFLICT),
  signer_in_use: refused(HttpStatus.CONFLICT),
  notification_exists: refused(HttpStatus.CONFLICT),
  notification_in_use: refused(HttpStatus.CONFLICT),
  network_exists: refused(HttpStatus.CONFLICT),
  network_in_use: refused(HttpStatus.CONFLICT),
  payload_too_large: refused(HttpStatus.PAYLOAD_TOO_LARGE),
  unsupported_media_type: refused(HttpStatus.UNSUPPORTED_MEDIA_TYPE),
  expectation_failed: refused(HttpStatus.EXPECTATION_FAILED),
  rate_limited: refused(HttpStatus.TOO_MANY_REQUESTS),
  headers_too_large: refused(HEADERS_TOO_LARGE),
  row_altered: { status: HttpStatus.INTERNAL_SERVER_ERROR, level: 'error' },
  internal_error: { status: HttpStatus.INTERNAL_SERVER_ERROR, level: 'error' },
  signer_unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, level: 'error' },
  network_unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, level: 'warn' },
  overloaded: { status: HttpStatus.SERVICE_UNAVAILABLE, level: 'warn' },
  unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, level: 'warn' },
} as const satisfies Record<string, ErrorPolicy>;

export type ErrorCode = keyof typeof ERROR_POLICIES;
