import DataLoader from 'dataloader';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { BatchPacer } from '../batch-pacer';
import type { ProtectedColumns } from './protected-columns';
import { RowAlteredError } from './row-altered.error';
import { type RawRow, RowColumns } from './row-columns';
import type { RowIntegrity } from './row-integrity';
import type { UnitOfWork } from '../unit-of-work';
import { VerifiedRows } from './verified-rows';

const MAX_BATCH = 100;

type Row = ObjectLiteral & { id: string };

/** The properties that are read of a row, and the values that are computed beside it, as the driver gives them. */
type Found<T, Property extends keyof T, Computed extends string> = Pick<T, Property> & {
  id: string;
} & Record<Computed, unknown>;

/** What of a table is read, and how. */
interface Selection<T extends ObjectLiteral> {
  columns: RowColumns<T>;
  /** What the MACs of the rows vouch for, where they have one. */
  protection: ProtectedColumns | undefined;
  /** Names of values that are not columns. */
  computed: readonly string[];
  /** The statement up to the list of ids. */
  statement: string;
}

/** What is read beside the plain columns of the rows. */
interface LookupOptions<Computed extends string> {
  /** For a protected table, of which the protected columns are read too. */
  integrity?: RowIntegrity;
  /**
   * SQL expressions that are read with each row, by the names of their values: what must be known of the same moment as the
   * row. Constants of the code, never input.
   */
  computed?: Readonly<Record<Computed, string>>;
}

/**
 * Rows by id, as they are now. What is asked for in one turn of the event loop, or while a statement is under way, shares
 * one statement, which starts after all of it was asked for, and nothing is kept: nobody sees a state that is older than
 * the question. Rows of a protected table are checked against their MACs, each on its own.
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
  private readonly verifiedRows = new VerifiedRows<T>();
  private selection: Selection<T> | undefined;

  /** @param properties which ones are read, `id` among them; all of them where they are left out */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly entity: EntityTarget<T>,
    private readonly properties?: readonly Property[],
    private readonly options: LookupOptions<Computed> = {},
  ) {}

  /** The row, which others may hold too, so it must not be changed. @throws RowAlteredError */
  find(id: string): Promise<Readonly<Found<T, Property, Computed>> | null> {
    // A statement that is shared with others would not see the transaction.
    return this.unitOfWork.inProgress ? this.findAlone(id) : this.loader.load(id);
  }

  private async findAlone(id: string): Promise<Found<T, Property, Computed> | null> {
    const [raw] = await this.findByIds([id]);
    const found = raw ? this.foundIn(raw) : null;
    if (found instanceof Error) throw found;
    return found;
  }

  private async load(ids: readonly string[]): Promise<(Found<T, Property, Computed> | null | Error)[]> {
    const rows = await this.pacer.run(() => this.findByIds([...new Set(ids)]));
    const byId = new Map(rows.map((raw) => [raw.id as string, this.foundIn(raw)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** What TypeORM's finders do, without building the statement anew. */
  private findByIds(ids: string[]): Promise<RawRow[]> {
    const places = ids.map(() => '?').join(', ');
    return this.unitOfWork.manager.query<RawRow[]>(`${this.selected.statement} (${places})`, ids);
  }

  private foundIn(raw: RawRow): Found<T, Property, Computed> | Error {
    const row = this.rowOf(raw);
    const { computed } = this.selected;
    if (row instanceof Error || computed.length === 0) return row;
    // The row itself may be remembered, the values are of this moment.
    const found: Record<string, unknown> = { ...row };
    for (const name of computed) found[name] = raw[name];
    return found as Found<T, Property, Computed>;
  }

  private rowOf(raw: RawRow): T | Error {
    const { columns, protection } = this.selected;
    const { integrity } = this.options;
    if (!protection || !integrity) return columns.entityOf(raw);
    const known = this.verifiedRows.find(raw, columns);
    if (known) return known;
    const id = raw.id as string;
    const row = readable(columns, raw);
    if (!integrity.isIntact(protection, id, row, raw.mac as string | null) || !row)
      return new RowAlteredError(protection.declared.table, id);
    this.verifiedRows.add(raw, row, columns);
    return row;
  }

  private get selected(): Selection<T> {
    return (this.selection ??= this.select());
  }

  private select(): Selection<T> {
    const { dataSource } = this.unitOfWork.manager;
    const { driver } = dataSource;
    const metadata = dataSource.getMetadata(this.entity);
    const protection = this.options.integrity?.protectedColumnsOf(metadata);
    const properties = this.properties && [...this.properties, ...(protection?.properties ?? [])];
    const columns = new RowColumns<T>(metadata, properties);
    const expressions: Readonly<Record<string, string>> = this.options.computed ?? {};
    const values = Object.entries(expressions).map(([name, sql]) => `${sql} AS ${driver.escape(name)}`);
    const statement = `${columns.selectionWith(values)} WHERE ${driver.escape('id')} IN`;
    return { columns, protection, computed: Object.keys(expressions), statement };
  }
}

/** Undefined where a JSON column holds something else. */
function readable<T extends ObjectLiteral>(columns: RowColumns<T>, raw: RawRow): T | undefined {
  try {
    return columns.entityOf(raw);
  } catch {
    return undefined;
  }
}
