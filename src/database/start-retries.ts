import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { causeOf } from '../common/errors/error-cause';
import { ConfigurationError } from '../config/configuration-error';
import { driverCodeOf, isRetryable } from './drivers/driver-errors';
import { isRefusedByServer } from './drivers/mysql/read-only-server';

/** How often a start tries to connect to the database, because a server may still be starting. */
const START_ATTEMPTS = 10;
const START_RETRY_MS = 3000;

/** Codes with which a server that stops ends statements. */
const STOPPING = 'SHUTDOWN';
/** Refused connections that an operator must allow first. */
const DENIED: ReadonlySet<string> = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_BAD_DB_ERROR',
]);

/**
 * Whether the next attempt to connect and migrate may succeed. A file, data that a migration refuses, a user whom the
 * server does not know, or a statement that the database refuses does not change by itself, unless the next connection
 * may reach another server.
 */
export function mayPass(error: unknown): boolean {
  if (error instanceof ConfigurationError) return false;
  const code = driverCodeOf(error);
  if (DENIED.has(code)) return false;
  const isRefused = error instanceof QueryFailedError && /^(?:ER_|SQLITE_|UNKNOWN_SQLITE_)/.test(code);
  const isTemporary = isRefusedByServer(error) || code.includes(STOPPING);
  return !isRefused || isRetryable(error) || isTemporary;
}

/** Connects at a start, or in a command that starts like the service. @throws the last error */
export async function retryLikeStart<T>(connect: () => Promise<T>, pauseMs = START_RETRY_MS): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect();
    } catch (error) {
      if (attempt === START_ATTEMPTS || !mayPass(error)) throw error;
      new Logger('Database').warn('Unable to connect to the database. Retrying', {
        attempt,
        attempts: START_ATTEMPTS,
        cause: causeOf(error),
      });
      await sleep(pauseMs);
    }
  }
}
