import { QueryFailedError } from 'typeorm';
import { errorCodeOf } from '../../common/errors/error-cause';

const UNIQUE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
const FOREIGN_KEY = new Set([
  'ER_NO_REFERENCED_ROW_2',
  'ER_NO_REFERENCED_ROW',
  'ER_ROW_IS_REFERENCED_2',
  'ER_ROW_IS_REFERENCED',
  'SQLITE_CONSTRAINT_FOREIGNKEY',
  // SQLite enforces RESTRICT with a trigger of its own.
  'SQLITE_CONSTRAINT_TRIGGER',
]);
/** SQLite tells a refused delete by a code of its own, since RESTRICT is a trigger there. */
const STILL_REFERENCED = new Set([
  'ER_ROW_IS_REFERENCED_2',
  'ER_ROW_IS_REFERENCED',
  'SQLITE_CONSTRAINT_FOREIGNKEY',
  'SQLITE_CONSTRAINT_TRIGGER',
]);
/** Deadlock, lock wait time-out, MariaDB's "record has changed since last read", and SQLite's busy file. */
const RETRYABLE = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
]);

/** A row with this key is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE.has(driverCodeOf(error));
}

/** The row refers to one that is not there, or others refer to the row that was to go. */
export function isForeignKeyViolation(error: unknown): boolean {
  return FOREIGN_KEY.has(driverCodeOf(error));
}

/** The row cannot be deleted: others refer to it. */
export function isStillReferenced(error: unknown): boolean {
  return STILL_REFERENCED.has(driverCodeOf(error));
}

/** The transaction was undone for the sake of another one and may be run again. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(driverCodeOf(error));
}

/** The driver's code of a failed statement; empty where there is none. */
export function driverCodeOf(error: unknown): string {
  return errorCodeOf(error instanceof QueryFailedError ? error.driverError : error) ?? '';
}
