import DataLoader from 'dataloader';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { placeholders } from '../placeholders';
import type { UnitOfWork } from '../unit-of-work';
import type { RawRow } from './row-columns';
import type { RowIntegrity } from './row-integrity';
import { RowReader } from './row-reader';

const MAX_BATCH = 100;

type Row = ObjectLiteral & { id: string };

/** The properties that are read from a row, and computed values as the driver returns them. */
type Found<T, Property extends keyof T, Computed extends string> = Pick<T, Property> & {
  id: string;
} & Record<Computed, unknown>;

/** Options for values that are read in addition to the columns. */
interface LookupOptions<Computed extends string> {
  /** For a protected table. Its protected columns are then read as well. */
  integrity?: RowIntegrity;
  /**
   * SQL expressions that are read in the same statement as each row, by the names of their values. They must be
   * constants in the code, never input.
   */
  computed?: Readonly<Record<Computed, string>>;
  /**
   * Makes the database return a row for each id, with nulls for unknown ones, so that the response time does not reveal
   * which ids exist.
   */
  hidesUnknown?: boolean;
  /**
   * Locks rows that are read in a unit of work against changes until its end. Otherwise such a read may not see what
   * was committed since the first read of the unit.
   */
  locksInUnits?: boolean;
}

/**
 * Reads current rows by id. Lookups in the same turn of the event loop share one statement, which starts after all of
 * them were called. Nothing is cached, so no caller gets a state older than its call. Rows of a protected table are
 * checked individually against their MACs.
 */
export class RowLookup<
  T extends Row,
  Property extends keyof T & string = keyof T & string,
  Computed extends string = never,
> {
  private readonly loader = new DataLoader<string, Found<T, Property, Computed> | null>(
    (ids) => this.loadAll(ids),
    { cache: false, maxBatchSize: MAX_BATCH, batchScheduleFn: setImmediate },
  );
  private readonly reader: RowReader<T>;
  private readonly computed: readonly string[];
  private readonly hidesUnknown: boolean;
  private readonly locksInUnits: boolean;

  /** @param properties the ones to read, including `id`; by default all */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    entity: EntityTarget<T>,
    properties?: readonly Property[],
    options: LookupOptions<Computed> = {},
  ) {
    this.reader = new RowReader(unitOfWork, entity, { ...options, ...(properties && { properties }) });
    this.computed = Object.keys(options.computed ?? {});
    this.hidesUnknown = options.hidesUnknown ?? false;
    this.locksInUnits = options.locksInUnits ?? false;
  }

  /** Finds a row. It is shared with other callers, so it must not be changed. @throws RowAlteredError */
  find(id: string): Promise<Readonly<Found<T, Property, Computed>> | null> {
    // A statement shared with others would not see the changes of the transaction.
    return this.unitOfWork.inProgress ? this.findAlone(id) : this.loader.load(id);
  }

  private async findAlone(id: string): Promise<Found<T, Property, Computed> | null> {
    const ending = this.locksInUnits ? `WHERE id = ?${this.unitOfWork.forShare}` : this.endingFor([id]);
    const [found] = await this.load([id], ending);
    if (found instanceof Error) throw found;
    return found ?? null;
  }

  private loadAll(ids: readonly string[]): Promise<(Found<T, Property, Computed> | null | Error)[]> {
    const different = [...new Set(ids)];
    return this.load(different, this.endingFor(different), ids);
  }

  /** @param ids the order of the results; by default that of the parameters of the statement */
  private async load(
    different: string[],
    ending: string,
    ids: readonly string[] = different,
  ): Promise<(Found<T, Property, Computed> | null | Error)[]> {
    const rows = await this.reader.read(ending, different);
    const known = rows.filter(({ id }) => id !== null);
    const byId = new Map(known.map((raw) => [raw.id as string, this.foundIn(raw)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  private endingFor(ids: readonly string[]): string {
    if (!this.hidesUnknown) return `WHERE id IN (${placeholders(ids)})`;
    const wanted = ids.map(() => 'SELECT ? AS wanted').join(' UNION ALL ');
    return `RIGHT JOIN (${wanted}) AS ids ON id = wanted`;
  }

  private foundIn(raw: RawRow): Found<T, Property, Computed> | Error {
    const row = this.reader.entityOf(raw);
    if (row instanceof Error || this.computed.length === 0) return row;
    // A copy, because the row itself may be cached, while the computed values are current. Does not use spread syntax,
    // see docs/adr/0019.
    const found: Record<string, unknown> = Object.assign({}, row);
    for (const name of this.computed) found[name] = raw[name];
    return found as Found<T, Property, Computed>;
  }
}
