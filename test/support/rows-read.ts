import type { DataSource } from 'typeorm';
import type { Statement } from './record-statements';

/** The largest number of index entries and rows that one of these queries reads on MariaDB when it is executed again. */
export async function mostRowsRead(
  dataSource: DataSource,
  statements: readonly Statement[],
): Promise<number> {
  const runner = dataSource.createQueryRunner();
  const reads = async (): Promise<number> => {
    const counters = (await runner.query(
      "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler\\_read\\_%' OR Variable_name = 'Handler_icp_attempts'",
    )) as { Value: string }[];
    return counters.reduce((sum, { Value: value }) => sum + Number(value), 0);
  };
  let most = 0;
  try {
    for (const { text, values } of statements) {
      // The counters themselves are rows that are read.
      const idle = -(await reads()) + (await reads());
      const before = await reads();
      await runner.query(text, values);
      most = Math.max(most, (await reads()) - before - idle);
    }
  } finally {
    await runner.release();
  }
  return most;
}
