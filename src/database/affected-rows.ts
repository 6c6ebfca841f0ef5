import type { EntityManager } from 'typeorm';

/** Runs a statement that writes, as part of the manager's unit of work where it has one. @returns how many rows it met */
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
