import DataLoader from 'dataloader';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import { BatchPacer } from './batch-pacer';
import type { UnitOfWork } from './unit-of-work';

const MAX_BATCH = 100;

type Row = ObjectLiteral & { id: string };

/** The properties that are read of a row, and the values that are computed beside it, as the driver gives them. */
type Found<T, Property extends keyof T, Computed extends string> = Pick<T, Property> & {
  id: string;
} & Record<Computed, unknown>;

/** What of a table is read, and how a row of it is turned into an entity's properties. */
interface Selection {
  columns: ColumnMetadata[];
  /** Names of values that are no columns. */
  computed: string[];
  /** The statement up to the list of ids. */
  statement: string;
}

/**
 * Rows by id, as they are now. What is asked for in one turn of the event loop, or while a statement is under way, shares
 * one statement, which starts after all of it was asked for, and nothing is kept: nobody sees a state that is older than
 * the question.
 */
export class RowLookup<
  T extends Row,
  Property extends keyof T & string = keyof T & string,
  Computed extends string = never,
> {
  private readonly loader = new DataLoader<string, Found<T, Property, Computed> | null>(
    (ids) => this.load(ids),
    {
      cache: false,
      maxBatchSize: MAX_BATCH,
      batchScheduleFn: (dispatch) => {
        this.pacer.schedule(dispatch);
      },
    },
  );
  private readonly pacer = new BatchPacer();
  private selection: Selection | undefined;

  /**
   * @param properties which ones are read, `id` among them; all of them where they are left out
   * @param computed SQL expressions that are read with each row, by the names of their values: what must be known of the
   * same moment as the row. Constants of the code, never input
   */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly entity: EntityTarget<T>,
    private readonly properties?: readonly Property[],
    private readonly computed?: Readonly<Record<Computed, string>>,
  ) {}

  /** The row, which others may hold too, so it must not be changed. */
  find(id: string): Promise<Readonly<Found<T, Property, Computed>> | null> {
    // A statement that is shared with others would not see the transaction.
    return this.unitOfWork.inProgress ? this.findAlone(id) : this.loader.load(id);
  }

  private async findAlone(id: string): Promise<Found<T, Property, Computed> | null> {
    const [row] = await this.findByIds([id]);
    return row ?? null;
  }

  private async load(ids: readonly string[]): Promise<(Found<T, Property, Computed> | null)[]> {
    const found = await this.pacer.run(() => this.findByIds([...new Set(ids)]));
    const byId = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** What TypeORM's finders do, without building the statement anew and looking for joins in each row. */
  private async findByIds(ids: string[]): Promise<Found<T, Property, Computed>[]> {
    const { manager } = this.unitOfWork;
    const { driver } = manager.dataSource;
    const { columns, computed, statement } = (this.selection ??= this.selectionFrom(manager.dataSource));
    const places = ids.map(() => '?').join(', ');
    const rows = await manager.query<Record<string, unknown>[]>(`${statement} (${places})`, ids);
    return rows.map((row) => {
      const found = {} as Found<T, Property, Computed>;
      for (const column of columns) {
        column.setEntityValue(found, driver.prepareHydratedValue(row[column.databaseName], column));
      }
      for (const name of computed) (found as Record<string, unknown>)[name] = row[name];
      return found;
    });
  }

  private selectionFrom(dataSource: DataSource): Selection {
    const { driver } = dataSource;
    const metadata = dataSource.getMetadata(this.entity);
    const wanted: readonly string[] | undefined = this.properties;
    const columns = metadata.columns.filter(({ propertyName }) => wanted?.includes(propertyName) ?? true);
    const expressions: Readonly<Record<string, string>> = this.computed ?? {};
    const computed = Object.keys(expressions);
    const values = [
      ...columns.map(({ databaseName }) => driver.escape(databaseName)),
      ...computed.map((name) => `${expressions[name] ?? ''} AS ${driver.escape(name)}`),
    ].join(', ');
    const table = driver.escape(metadata.tablePath);
    const statement = `SELECT ${values} FROM ${table} WHERE ${driver.escape('id')} IN`;
    return { columns, computed, statement };
  }
}
