import { isNativeError } from 'node:util/types';

/** The text of an error for the log. A refused connection to a name with several addresses has a code, but no message. */
export function causeOf(error: unknown): string {
  if (!isError(error)) return typeof error;
  return error.message === '' ? (errorCodeOf(error) ?? error.name) : error.message;
}

/** The code that Node and the database drivers put on their errors (`ENOENT`, `ER_DUP_ENTRY` …). */
export function errorCodeOf(error: unknown): string | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Errors of other realms, such as jest's, are not instances of this realm's `Error`. */
const isError = (error: unknown): error is Error => error instanceof Error || isNativeError(error);
