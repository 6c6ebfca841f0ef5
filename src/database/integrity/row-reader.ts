import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { UnitOfWork } from '../unit-of-work';
import type { ProtectedColumns } from './protected-columns';
import { RowAlteredError } from './row-altered.error';
import { type RawRow, RowColumns } from './row-columns';
import type { RowIntegrity } from './row-integrity';
import { VerifiedRows } from './verified-rows';

/** The columns to read from a table, and the statement that reads them. */
interface Selection<T extends ObjectLiteral> {
  columns: RowColumns<T>;
  /** The columns that the rows' MACs cover, if they have MACs. */
  protection: ProtectedColumns | undefined;
  /** `SELECT … FROM …` */
  statement: string;
}

interface RowReaderOptions {
  /** The properties to read, including `id`; by default all. */
  properties?: readonly string[];
  /** For a protected table. Its protected columns are then read as well. */
  integrity?: RowIntegrity;
  /**
   * SQL expressions that are read with each row, by the names of their values. They must be constants in the code,
   * never input.
   */
  computed?: Readonly<Record<string, string>>;
}

/**
 * Builds the statement that reads a table only once, and turns rows into entities as TypeORM's finders do. Rows of a
 * protected table are checked against their MACs.
 */
export class RowReader<T extends ObjectLiteral & { id: string }> {
  private readonly verified = new VerifiedRows<T>();
  private known: Selection<T> | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly entity: EntityTarget<T>,
    private readonly options: RowReaderOptions = {},
  ) {}

  /** @param ending the end of the statement, beginning with its condition */
  async read(ending: string, values: unknown[]): Promise<RawRow[]> {
    return this.unitOfWork.manager.query<RawRow[]>(`${this.selection.statement} ${ending}`, values);
  }

  /**
   * The entity of a row, or an error if the row was altered. The entity is shared with other callers, so it must not be
   * changed.
   */
  entityOf(raw: RawRow): T | RowAlteredError {
    const { columns, protection } = this.selection;
    const { integrity } = this.options;
    if (!protection || !integrity) return columns.entityOf(raw);
    const known = this.verified.find(raw, columns);
    if (known) return known;
    const id = raw.id as string;
    const row = columns.asWritten(raw, protection.properties);
    if (!integrity.isIntact(protection, id, row, raw.mac as string | null) || !row)
      return new RowAlteredError(protection.declared.table, id);
    this.verified.add(raw, row, columns);
    return row;
  }

  get selection(): Selection<T> {
    return (this.known ??= this.select());
  }

  private select(): Selection<T> {
    const { dataSource } = this.unitOfWork.manager;
    const { integrity, properties, computed = {} } = this.options;
    const metadata = dataSource.getMetadata(this.entity);
    const protection = integrity?.protectedColumnsOf(metadata);
    const columns = new RowColumns<T>(
      metadata,
      properties && [...properties, ...(protection?.properties ?? [])],
    );
    const values = Object.entries(computed).map(
      ([name, sql]) => `${sql} AS ${dataSource.driver.escape(name)}`,
    );
    const statement = protection ? columns.completeSelectionWith(values) : columns.selectionWith(values);
    return { columns, protection, statement };
  }
}
