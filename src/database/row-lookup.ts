import DataLoader from 'dataloader';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import type { UnitOfWork } from './unit-of-work';

const MAX_BATCH = 100;

/**
 * Rows by id, as they are now. What is asked for in one turn of the event loop shares one statement, which starts
 * after all of it was asked for, and nothing is kept: nobody sees a state that is older than the question.
 */
export class RowLookup<T extends ObjectLiteral & { id: string }> {
  private readonly loader = new DataLoader<string, T | null>((ids) => this.load(ids), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    // After the last request that this turn brings.
    batchScheduleFn: (dispatch) => void setImmediate(dispatch),
  });

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly entity: EntityTarget<T>,
  ) {}

  /** The row, which others may hold too, so it must not be changed. */
  async find(id: string): Promise<Readonly<T> | null> {
    // A statement that is shared with others would not see the transaction.
    if (!this.unitOfWork.inProgress) return this.loader.load(id);
    const [row] = await findByIds(this.unitOfWork.manager, this.entity, [id]);
    return row ?? null;
  }

  private async load(ids: readonly string[]): Promise<(T | null)[]> {
    const found = await findByIds(this.unitOfWork.manager, this.entity, [...new Set(ids)]);
    const byId = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  }
}

/** What TypeORM's finders do, without building the statement anew and looking for joins in each row. */
async function findByIds<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  ids: string[],
): Promise<T[]> {
  const { columns, tablePath } = manager.dataSource.getMetadata(entity);
  const { driver } = manager.dataSource;
  const names = columns.map(({ databaseName }) => driver.escape(databaseName)).join(', ');
  const places = ids.map(() => '?').join(', ');
  const rows = await manager.query<Record<string, unknown>[]>(
    `SELECT ${names} FROM ${driver.escape(tablePath)} WHERE ${driver.escape('id')} IN (${places})`,
    ids,
  );
  return rows.map((row) => {
    const found = {} as T;
    for (const column of columns) {
      column.setEntityValue(found, driver.prepareHydratedValue(row[column.databaseName], column));
    }
    return found;
  });
}
