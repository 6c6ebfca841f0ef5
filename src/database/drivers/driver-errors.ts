import { QueryFailedError } from 'typeorm';
import { errorCodeOf } from '../../common/errors/error-cause';

const UNIQUE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
/** SQLite implements RESTRICT with an internal trigger, and reports a refused delete as a trigger violation. */
const STILL_REFERENCED = new Set([
  'ER_ROW_IS_REFERENCED_2',
  'ER_ROW_IS_REFERENCED',
  'SQLITE_CONSTRAINT_FOREIGNKEY',
  'SQLITE_CONSTRAINT_TRIGGER',
]);
const FOREIGN_KEY = new Set([...STILL_REFERENCED, 'ER_NO_REFERENCED_ROW_2', 'ER_NO_REFERENCED_ROW']);
/**
 * Deadlock, lock wait timeout, a row locked by others with NOWAIT, MariaDB's "record has changed since last read", and
 * SQLite's busy file.
 */
const RETRYABLE = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_LOCK_NOWAIT',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
]);

/** A statement and an attempt to connect that took too long, on MySQL and MariaDB. */
const TIMEOUTS = new Set(['PROTOCOL_SEQUENCE_TIMEOUT', 'ETIMEDOUT']);

/** Whether a row with this key already exists. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE.has(driverCodeOf(error));
}

/** Whether the row refers to a missing one, or a row to be deleted is still referenced. */
export function isForeignKeyViolation(error: unknown): boolean {
  return FOREIGN_KEY.has(driverCodeOf(error));
}

/** Whether the row cannot be deleted because others refer to it. */
export function isStillReferenced(error: unknown): boolean {
  return STILL_REFERENCED.has(driverCodeOf(error));
}

/** Whether the transaction was rolled back in favour of another one, and may be retried. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(driverCodeOf(error));
}

/** Whether the database did not respond in time: another statement would wait just as long. */
export function isTimeout(error: unknown): boolean {
  return isOfDatabase(error) && TIMEOUTS.has(driverCodeOf(error));
}

/** Whether it is a failed statement or connection: mysql2 marks errors that end a connection. */
export const isOfDatabase = (error: unknown): boolean =>
  error instanceof QueryFailedError || (error instanceof Error && 'fatal' in error && error.fatal === true);

/** The driver's code of a failed statement; empty if there is none. */
export function driverCodeOf(error: unknown): string {
  return errorCodeOf(error instanceof QueryFailedError ? error.driverError : error) ?? '';
}
