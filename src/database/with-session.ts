import type { DataSource, QueryRunner } from 'typeorm';

/** Does work on a connection of its own, which is released afterwards. */
export async function withSession<T>(
  dataSource: DataSource,
  work: (session: QueryRunner) => Promise<T>,
): Promise<T> {
  const session = dataSource.createQueryRunner();
  try {
    return await work(session);
  } finally {
    await session.release();
  }
}
