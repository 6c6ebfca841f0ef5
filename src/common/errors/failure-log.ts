import { Logger } from '@nestjs/common';
import { currentRequest } from '../http/request-context';
import type { DomainError } from './domain-error';
import { ERROR_POLICIES } from './error-codes';
import { causeOf, errorCodeOf, isError } from './error-cause';

const logger = new Logger('Failure');

const MAX_CAUSES = 3;
const MAX_CAUSE_LENGTH = 200;

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
 * The name, text, driver code and, unless it is an outage, stack of the cause, and the texts of its own causes, but never
 * the statement's parameters, which may contain secrets.
 */
function describeCause({ cause }: DomainError): Record<string, unknown> | undefined {
  if (cause === undefined) return undefined;
  if (!isError(cause)) return { name: typeof cause, ...(typeof cause === 'string' && { text: cause }) };
  const code = errorCodeOf(cause);
  const isOutage = code !== undefined && OUTAGES.has(code);
  const causes = causesOf(cause);
  return {
    name: cause.name,
    text: cause.message,
    code,
    ...(causes.length > 0 && { causes }),
    ...(!isOutage && { stack: cause.stack }),
  };
}

/** The texts of what caused an error, the nearest first. Those of vendors' clients may be whole pages. */
function causesOf(error: Error): string[] {
  const texts: string[] = [];
  for (let next = error.cause; isError(next) && texts.length < MAX_CAUSES; next = next.cause) {
    const [firstLine = ''] = causeOf(next).split('\n', 1);
    texts.push(firstLine.slice(0, MAX_CAUSE_LENGTH));
  }
  return texts;
}
