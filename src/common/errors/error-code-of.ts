import { isNativeError } from 'node:util/types';

/** The code that Node and the database drivers put on their errors (`ENOENT`, `ER_DUP_ENTRY` …). */
export function errorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error || isNativeError(error)) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
