import type { EntityManager } from 'typeorm';

/** Runs a writing statement, in the manager's unit of work if it has one. @returns the number of affected rows */
export async function affectedRows(
  manager: EntityManager,
  statement: string,
  values: unknown[],
): Promise<number> {
  const session = manager.queryRunner ?? manager.dataSource.createQueryRunner();
  try {
    const { affected } = await session.query(statement, values, true);
    return affected ?? 0;
  } finally {
    if (session !== manager.queryRunner) await session.release();
  }
}
