import DataLoader from 'dataloader';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import { BatchPacer } from './batch-pacer';
import type { UnitOfWork } from './unit-of-work';

const MAX_BATCH = 100;

type Row = ObjectLiteral & { id: string };

/** What of a table is read, and how a row of it is turned into an entity's properties. */
interface Selection {
  columns: ColumnMetadata[];
  /** The statement up to the list of ids. */
  statement: string;
}

/**
 * Rows by id, as they are now. What is asked for in one turn of the event loop, or while a statement is under way, shares
 * one statement, which starts after all of it was asked for, and nothing is kept: nobody sees a state that is older than
 * the question.
 */
export class RowLookup<T extends Row, Property extends keyof T & string = keyof T & string> {
  private readonly loader = new DataLoader<string, Pick<T, Property> | null>((ids) => this.load(ids), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: (dispatch) => {
      this.pacer.schedule(dispatch);
    },
  });
  private readonly pacer = new BatchPacer();
  private selection: Selection | undefined;

  /** @param properties which ones are read, `id` among them; all of them where they are left out */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly entity: EntityTarget<T>,
    private readonly properties?: readonly Property[],
  ) {}

  /** The row, which others may hold too, so it must not be changed. */
  find(id: string): Promise<Readonly<Pick<T, Property>> | null> {
    // A statement that is shared with others would not see the transaction.
    return this.unitOfWork.inProgress ? this.findAlone(id) : this.loader.load(id);
  }

  private async findAlone(id: string): Promise<T | null> {
    const [row] = await this.findByIds([id]);
    return row ?? null;
  }

  private async load(ids: readonly string[]): Promise<(Pick<T, Property> | null)[]> {
    const found = await this.pacer.run(() => this.findByIds([...new Set(ids)]));
    const byId = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** What TypeORM's finders do, without building the statement anew and looking for joins in each row. */
  private async findByIds(ids: string[]): Promise<T[]> {
    const { manager } = this.unitOfWork;
    const { driver } = manager.dataSource;
    const { columns, statement } = (this.selection ??= this.selectionFrom(manager.dataSource));
    const places = ids.map(() => '?').join(', ');
    const rows = await manager.query<Record<string, unknown>[]>(`${statement} (${places})`, ids);
    return rows.map((row) => {
      const found = {} as T;
      for (const column of columns) {
        column.setEntityValue(found, driver.prepareHydratedValue(row[column.databaseName], column));
      }
      return found;
    });
  }

  private selectionFrom(dataSource: DataSource): Selection {
    const { driver } = dataSource;
    const metadata = dataSource.getMetadata(this.entity);
    const wanted: readonly string[] | undefined = this.properties;
    const columns = metadata.columns.filter(({ propertyName }) => wanted?.includes(propertyName) ?? true);
    const names = columns.map(({ databaseName }) => driver.escape(databaseName)).join(', ');
    const table = driver.escape(metadata.tablePath);
    return { columns, statement: `SELECT ${names} FROM ${table} WHERE ${driver.escape('id')} IN` };
  }
}
