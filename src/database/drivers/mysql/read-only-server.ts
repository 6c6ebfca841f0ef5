import type { DataSource } from 'typeorm';
import { driverCodeOf } from '../driver-errors';

/**
 * Writes that a server refuses because it, or its engine, is read-only; and any statement, as a node of a Galera cluster
 * does that has not joined, has lost the others or is told to refuse queries.
 */
const REFUSALS: ReadonlySet<string> = new Set([
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_READ_ONLY_MODE',
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
  'ER_UNKNOWN_COM_ERROR',
]);

/** Aurora's readers have only `innodb_read_only`. MariaDB 12 has words instead of 0 and 1. */
const VARIABLES = ['read_only', 'innodb_read_only'] as const;
const WRITABLE: ReadonlySet<string> = new Set(['0', 'OFF']);

/** Whether the server refused a statement of a kind that another accepts, as the former primary after a switchover. */
export function isRefusedByServer(error: unknown): boolean {
  return REFUSALS.has(driverCodeOf(error));
}

/**
 * The global variable that makes the server of a connection read-only, if one does. A server that does not have these
 * variables, because it only speaks the protocol, counts as writable.
 *
 * @throws Error also if the server refuses statements: a node of a Galera cluster would return its variables
 *   nevertheless, but it does not read tables, not even a derived one
 */
export async function readOnlyVariable(connection: Pick<DataSource, 'query'>): Promise<string | undefined> {
  const columns = VARIABLES.map((variable) => `@@global.${variable} AS ${variable}`);
  try {
    const statement = `SELECT ${columns.join(', ')} FROM (SELECT 1) AS derived`;
    const [row] = await connection.query<Record<string, string | number>[]>(statement);
    return VARIABLES.find((variable) => !WRITABLE.has(String(row?.[variable] ?? 0)));
  } catch (error) {
    if (driverCodeOf(error) === 'ER_UNKNOWN_SYSTEM_VARIABLE') return undefined;
    throw error;
  }
}
