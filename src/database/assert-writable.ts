import type { DataSource } from 'typeorm';
import { readOnlyVariable } from './drivers/mysql/read-only-server';

/**
 * Makes sure that the database responds and its server accepts writes. A connection to a read-only server is closed, so
 * that the next one can reach the server that took over.
 *
 * @throws Error with the reason
 */
export async function assertWritable(dataSource: DataSource): Promise<void> {
  if (dataSource.options.type === 'better-sqlite3') {
    await dataSource.query('SELECT 1');
    return;
  }
  const session = dataSource.createQueryRunner();
  try {
    const variable = await readOnlyVariable(session);
    if (variable === undefined) return;
    ((await session.connect()) as { destroy: () => void }).destroy();
    throw new Error(`the database server is read-only (@@global.${variable})`);
  } finally {
    await session.release();
  }
}
