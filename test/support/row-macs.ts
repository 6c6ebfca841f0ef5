import { DataSource, type EntityTarget, type FindOptionsWhere } from 'typeorm';
import type { ProtectedRow } from '../../src/database/integrity/protected-columns';
import { RowIntegrity } from '../../src/database/integrity/row-integrity';
import type { TestApplication } from './application';

/**
 * Gives rows that a test has changed by SQL the MACs that the service would have given them; if no ids are given, all
 * rows.
 */
export async function sealRows<T extends ProtectedRow>(
  { app }: TestApplication,
  entity: EntityTarget<T>,
  id?: string,
): Promise<void> {
  const { manager } = app.get(DataSource);
  const integrity = app.get(RowIntegrity);
  const metadata = app.get(DataSource).getMetadata(entity);
  const columns = integrity.protectedColumnsOf(metadata);
  const where = (id === undefined ? {} : { id }) as FindOptionsWhere<T>;
  for (const row of await manager.getRepository(entity).findBy(where))
    await manager.query(`UPDATE ${metadata.tableName} SET mac = ? WHERE id = ?`, [
      integrity.macOf(columns, row),
      row.id,
    ]);
}
