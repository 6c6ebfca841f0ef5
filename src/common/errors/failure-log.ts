import { types } from 'node:util';
import { Logger } from '@nestjs/common';
import { currentRequest } from '../http/request-context';
import type { DomainError } from './domain-error';
import { ERROR_POLICIES } from './error-codes';
import { errorCodeOf } from './error-cause';

const logger = new Logger('Failure');

/** Codes of a database that is away or full: every request fails with the same stack, which says nothing more. */
const OUTAGES: ReadonlySet<string> = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPIPE',
    'ETIMEDOUT',
  ],
  ...['PROTOCOL_CONNECTION_LOST', 'PROTOCOL_SEQUENCE_TIMEOUT', 'ER_CON_COUNT_ERROR', 'ER_SERVER_SHUTDOWN'],
  ...['SQLITE_FULL', 'SQLITE_IOERR'],
]);

/** Logs a failure at the level of its code. If the service is at fault, the cause is logged as well. */
export function logFailure(error: DomainError): void {
  const { level } = ERROR_POLICIES[error.code];
  logger[level](error.detail, {
    code: error.code,
    // Elsewhere `cause` is a text, and indexes of logs accept one type for each field.
    ...(level === 'error' && { error: describeCause(error) }),
  });
}

/** The failure text for the caller. With status 500 it contains the request id, by which the log can be searched. */
export function failureDetail(error: DomainError): string {
  const requestId = currentRequest()?.id;
  return (ERROR_POLICIES[error.code].status as number) === 500 && requestId !== undefined
    ? `${error.detail} (request id ${requestId})`
    : error.detail;
}

/**
 * The name, text, driver code and, unless it is an outage, stack of the cause, but never the statement's parameters,
 * which may contain secrets.
 */
function describeCause(error: DomainError): Record<string, unknown> {
  const cause = error.cause;
  if (!types.isNativeError(cause)) return { name: typeof cause };
  const code = errorCodeOf(cause);
  const isOutage = code !== undefined && OUTAGES.has(code);
  return { name: cause.name, text: cause.message, code, ...(!isOutage && { stack: cause.stack }) };
}
