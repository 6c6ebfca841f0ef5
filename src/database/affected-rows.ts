import type { EntityManager, QueryRunner } from 'typeorm';
import { withSession } from './with-session';

/** Runs a writing statement, in the manager's unit of work if it has one. @returns the number of affected rows */
export async function affectedRows(
  manager: EntityManager,
  statement: string,
  values: unknown[],
): Promise<number> {
  const run = async (session: QueryRunner): Promise<number> =>
    (await session.query(statement, values, true)).affected ?? 0;
  return manager.queryRunner ? run(manager.queryRunner) : withSession(manager.dataSource, run);
}
