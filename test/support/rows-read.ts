import type { DataSource } from 'typeorm';
import type { Statement } from './record-statements';

/** Counts entries that were read in sequence, and those that were discarded in an index; not those found by a key. */
const COUNTERS = `
  SELECT SUM(VARIABLE_VALUE * CASE VARIABLE_NAME WHEN 'HANDLER_READ_KEY' THEN 0 WHEN 'HANDLER_ICP_MATCH' THEN -1 ELSE 1 END)
    AS count
  FROM information_schema.SESSION_STATUS
  WHERE VARIABLE_NAME LIKE 'HANDLER\\_READ\\_%' OR VARIABLE_NAME LIKE 'HANDLER\\_ICP\\_%'`;

/** The largest number of rows that one of these queries reads on MariaDB when it is executed again. */
export async function mostRowsRead(
  dataSource: DataSource,
  statements: readonly Statement[],
): Promise<number> {
  const runner = dataSource.createQueryRunner();
  const reads = async (): Promise<number> => {
    const [row] = (await runner.query(COUNTERS)) as { count: string }[];
    return Number(row?.count);
  };
  try {
    // The counters are themselves rows that are read.
    const idle = -(await reads()) + (await reads());
    let most = 0;
    for (const { text, values } of statements) {
      const before = await reads();
      await runner.query(text, values);
      most = Math.max(most, (await reads()) - before - idle);
    }
    return most;
  } finally {
    await runner.release();
  }
}
