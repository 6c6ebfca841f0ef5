import type { Connection, RowDataPacket } from 'mysql2/promise';

/** A statement of the service, with the values of one of its executions. */
export interface SeenStatement {
  /** The text with `?` for values, and lists of values as a single one. */
  form: string;
  text: string;
  count: number;
}

/** How the server executes a statement on one table. */
export interface PlanStep {
  table: string | null;
  /** `ALL` reads the whole table, `index` a whole index. */
  type: string | null;
  key: string | null;
  rows: number;
  extra: string;
}

const READS_ROWS = /^(?:SELECT|UPDATE|DELETE)\b/i;
const OF_THE_SERVER = /mysql\.general_log|@@|GET_LOCK|RELEASE_LOCK|VERSION\(\)|information_schema|SELECT 1$/i;

/** Lets the server record the text of each statement while `work` runs. @returns the statements, most frequent first */
export async function statementsDuring(
  connection: Connection,
  work: () => Promise<void>,
): Promise<SeenStatement[]> {
  await connection.query('TRUNCATE mysql.general_log');
  await connection.query("SET GLOBAL log_output = 'TABLE', GLOBAL general_log = 1");
  try {
    await work();
  } finally {
    await connection.query('SET GLOBAL general_log = 0');
  }
  const [rows] = await connection.query<RowDataPacket[]>(
    "SELECT CONVERT(argument USING utf8mb4) AS text FROM mysql.general_log WHERE command_type IN ('Query', 'Execute')",
  );
  const seen = new Map<string, SeenStatement>();
  for (const { text } of rows as { text: string }[]) {
    const statement = text.trim();
    if (!READS_ROWS.test(statement) || OF_THE_SERVER.test(statement)) continue;
    const form = formOf(statement);
    const known = seen.get(form);
    if (known) known.count += 1;
    else seen.set(form, { form, text: statement, count: 1 });
  }
  return [...seen.values()].sort((a, b) => b.count - a.count);
}

export async function planOf(connection: Connection, { text }: SeenStatement): Promise<PlanStep[]> {
  const [rows] = await connection.query<RowDataPacket[]>(`EXPLAIN FORMAT=TRADITIONAL ${text}`);
  return rows.map((row) => ({
    table: row.table as string | null,
    type: row.type as string | null,
    key: row.key as string | null,
    rows: Number(row.rows ?? 0),
    extra: String(row.Extra ?? ''),
  }));
}

/** @param size the number of rows from which reading a whole table or index counts as a scan */
export const isScan = ({ type, rows }: PlanStep, size: number): boolean =>
  (type === 'ALL' || type === 'index') && rows >= size;

const formOf = (statement: string): string =>
  statement
    .replace(/'(?:[^'\\]|\\.|'')*'/g, '?')
    .replace(/\b\d+(?:\.\d+)?\b/g, '?')
    .replace(/\?(?:\s*,\s*\?)+/g, '?, …')
    .replace(/\s+/g, ' ');
