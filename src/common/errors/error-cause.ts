import { isNativeError } from 'node:util/types';
import { DomainError } from './domain-error';

/**
 * The text of an error for the log: the detail of a DomainError, because its message is that of a status. If a
 * connection to a name with several addresses is refused, the error has a code but no message.
 */
export function causeOf(error: unknown): string {
  if (!isError(error)) return typeof error;
  if (error instanceof DomainError) return error.detail;
  return error.message === '' ? (errorCodeOf(error) ?? error.name) : error.message;
}

/** The code in errors of Node and the database drivers (`ENOENT`, `ER_DUP_ENTRY` …). */
export function errorCodeOf(error: unknown): string | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Errors from other realms, such as Jest's, are not instances of this realm's `Error`. */
export const isError = (error: unknown): error is Error => error instanceof Error || isNativeError(error);
