import { HttpStatus, type LogLevel } from '@nestjs/common';

/** How a failure leaves the process: its HTTP status and the level it is logged at. */
interface ErrorPolicy {
  status: HttpStatus;
  level: LogLevel;
}

const refused = (status: HttpStatus): ErrorPolicy => ({ status, level: 'debug' });

/** Every failure this service tells a caller about. The labels of the metrics come from here too. */
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
  rate_limited: refused(HttpStatus.TOO_MANY_REQUESTS),
  internal_error: { status: HttpStatus.INTERNAL_SERVER_ERROR, level: 'error' },
  signer_unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, level: 'error' },
  network_unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, level: 'warn' },
  unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, level: 'warn' },
} as const satisfies Record<string, ErrorPolicy>;

export type ErrorCode = keyof typeof ERROR_POLICIES;
