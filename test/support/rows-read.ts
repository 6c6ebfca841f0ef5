import type { DataSource } from 'typeorm';
import type { Statement } from './record-statements';

/** The counters of entries that were read in sequence, and of those that MariaDB discarded in an index. */
const COUNTERS =
  "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler\\_read\\_%' OR Variable_name LIKE 'Handler\\_icp\\_%'";
/** Entries found by a key are not counted, and entries that match in an index are counted among those read. */
const FACTORS: Record<string, number> = { Handler_read_key: 0, Handler_icp_match: -1 };

/** The largest number of rows that one of these queries reads when it is executed again. */
export async function mostRowsRead(
  dataSource: DataSource,
  statements: readonly Statement[],
): Promise<number> {
  const runner = dataSource.createQueryRunner();
  const reads = async (): Promise<number> => {
    const rows = (await runner.query(COUNTERS)) as { Variable_name: string; Value: string }[];
    return rows.reduce(
      (sum, { Variable_name: name, Value }) => sum + Number(Value) * (FACTORS[name] ?? 1),
      0,
    );
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
