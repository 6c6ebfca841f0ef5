import { isNativeError } from 'node:util/types';
import { errorCodeOf } from './error-code-of';

/** What the log says of an error. A refused connection to a name with several addresses has a code and no text. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error || isNativeError(error))) return typeof error;
  return error.message === '' ? (errorCodeOf(error) ?? error.name) : error.message;
}
