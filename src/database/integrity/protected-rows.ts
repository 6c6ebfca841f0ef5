import { hash } from 'node:crypto';
import type {
  EntityTarget,
  FindOptionsOrder,
  FindOptionsSelect,
  FindOptionsWhere,
  Repository,
} from 'typeorm';
import type { ListCursor } from '../../common/pagination/list-cursor';
import type { ListPage } from '../../common/pagination/list-page';
import type { PageQuery } from '../../common/pagination/page-query';
import { affectedRows } from '../affected-rows';
import type { RowCondition } from '../row-condition';
import type { ProtectedColumns, ProtectedRow } from './protected-columns';
import { RowAlteredError } from './row-altered.error';
import { CUT_OFF, type RawRow, RowColumns } from './row-columns';
import type { RowIntegrity } from './row-integrity';
import { RowLookup } from './row-lookup';
import { RowPages } from './row-pages';
import type { UnitOfWork } from '../unit-of-work';

/** SQLite limits the number of values in a statement. */
const ROWS_PER_INSERT = 100;

/** The rows to read, their order, and whether they are locked until the end of the unit of work. */
export interface RowQuery<T> {
  where?: FindOptionsWhere<T> | FindOptionsWhere<T>[];
  order?: FindOptionsOrder<T>;
  skip?: number;
  take?: number;
  /**
   * Locks the rows: `wait` waits for rows that others have locked, `skip` skips them. SQLite runs units of work one
   * after the other and locks nothing.
   */
  lock?: 'wait' | 'skip';
}

/** The rows that can be used, and the ids of those that were altered. */
export interface FoundRows<T> {
  intact: T[];
  altered: string[];
}

/**
 * The rows of a protected table. They are checked against their MACs when they are read, and get a MAC when they are
 * written.
 *
 * @see {@link RowIntegrity}, which logs and counts altered rows
 */
export class ProtectedRows<T extends ProtectedRow & ListCursor> {
  private readonly lookup: RowLookup<T>;
  private readonly pages: RowPages<T>;
  private known: { columns: RowColumns<T>; protection: ProtectedColumns } | undefined;

  /** @param largeColumns columns that limit how many rows a page of the list has */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly integrity: RowIntegrity,
    private readonly entity: EntityTarget<T>,
    largeColumns: readonly (keyof T & string)[] = [],
  ) {
    this.lookup = new RowLookup<T>(unitOfWork, entity, undefined, { integrity });
    this.pages = new RowPages(unitOfWork, entity, integrity, largeColumns);
  }

  /** @throws RowAlteredError */
  async findOneBy(where: FindOptionsWhere<T>): Promise<T | null> {
    const [row] = await this.find({ where, take: 1 });
    return row ?? null;
  }

  /** See {@link RowLookup}: the row is shared with other callers, so it must not be changed. @throws RowAlteredError */
  findById(id: string): Promise<Readonly<T> | null> {
    return this.lookup.find(id) as Promise<T | null>;
  }

  /**
   * Reads a row in order to change it, and locks it until the end of the unit of work. To MySQL and MariaDB, an id with
   * trailing spaces is equal to one without; here it is another id.
   *
   * @throws RowAlteredError
   */
  async findToChange(id: string): Promise<T | null> {
    if (!this.unitOfWork.inProgress)
      throw new Error('A row must be changed in the unit of work that read it');
    const { columns, protection } = this.prepared;
    const statement = `${columns.completeSelectionWith([])} WHERE id = ?${this.unitOfWork.forUpdate}`;
    const [raw] = await this.unitOfWork.manager.query<RawRow[]>(statement, [id]);
    if (raw?.id !== id) return null;
    const row = this.verified(raw);
    if (!row) throw new RowAlteredError(protection.declared.table, id);
    return row;
  }

  /** @throws RowAlteredError if any of the rows was altered */
  async find(query: RowQuery<T>): Promise<T[]> {
    const { intact, altered } = await this.findIntact(query);
    if (altered[0] !== undefined)
      throw new RowAlteredError(this.prepared.protection.declared.table, altered[0]);
    return intact;
  }

  /** Like {@link find}, for callers that can continue without altered rows. */
  async findIntact(query: RowQuery<T>): Promise<FoundRows<T>> {
    const found: FoundRows<T> = { intact: [], altered: [] };
    for (const raw of await this.read(query)) {
      const row = this.verified(raw);
      if (row) found.intact.push(row);
      else found.altered.push(raw.id as string);
    }
    return found;
  }

  /**
   * See {@link RowPages}: the rows are shared with other callers. @throws RowAlteredError if any of the rows was
   * altered
   */
  list(query: PageQuery, condition?: RowCondition): Promise<ListPage<T>> {
    return this.pages.list(query, condition);
  }

  /** Also true for an altered row. As to spaces, see {@link findToChange}. */
  async exists(where: FindOptionsWhere<T> & { id: string }): Promise<boolean> {
    const select = { id: true } as FindOptionsSelect<T>;
    return (await this.repository.findOne({ select, where }))?.id === where.id;
  }

  /** Like {@link list}, for callers that can continue without altered rows. */
  listIntact({ page, per_page }: PageQuery, where: FindOptionsWhere<T> = {}): Promise<FoundRows<T>> {
    const order = { createdAt: 'ASC', id: 'ASC' } as object;
    return this.findIntact({ where, order, skip: (page - 1) * per_page, take: per_page });
  }

  async insert(row: Omit<T, 'mac'>): Promise<T> {
    const [inserted] = await this.insertAll([row]);
    if (!inserted) throw new Error('A row was not inserted');
    return inserted;
  }

  /** Must be called in a unit of work if there are many rows, because they take several statements. */
  async insertAll(rows: readonly Omit<T, 'mac'>[]): Promise<T[]> {
    const complete = rows.map((row) => this.withMac(row));
    for (let start = 0; start < complete.length; start += ROWS_PER_INSERT) {
      const some = complete.slice(start, start + ROWS_PER_INSERT);
      const { statement, values } = this.prepared.columns.insertionOf(some);
      await this.unitOfWork.manager.query(statement, values);
    }
    return complete;
  }

  /** Adds the MAC to a row, for callers with a statement of their own. */
  withMac(row: Omit<T, 'mac'>): T {
    const mac = this.integrity.macOf(this.prepared.protection, row);
    return Object.assign(this.repository.create(), row, { mac });
  }

  /** @param row as returned by {@link findToChange} in this unit of work */
  async update(row: T, changes: Partial<Omit<T, 'id' | 'mac'>>): Promise<T> {
    const after = await this.updateUnchanged(row, changes);
    if (!after) throw new Error('A row was changed although it was locked');
    return after;
  }

  /** Changes a row that is not locked; null if it has been changed or deleted since it was read. */
  async updateUnchanged(row: Readonly<T>, changes: Partial<Omit<T, 'id' | 'mac'>>): Promise<T | null> {
    const { columns, protection } = this.prepared;
    const after: T = Object.assign(this.repository.create(), row, changes);
    after.mac = this.integrity.macOf(protection, after);
    const { assignments, values } = columns.assignmentsOf(after, [...Object.keys(changes), 'mac']);
    // Every change of a protected column changes the MAC, so the new MAC only covers what was read here.
    const statement = `UPDATE ${columns.table} SET ${assignments} WHERE id = ? AND mac = ?`;
    const affected = await affectedRows(this.unitOfWork.manager, statement, [...values, row.id, row.mac]);
    return affected === 1 ? after : null;
  }

  /**
   * SHA-256, in hex, of the content that the MAC covers and of the creation time. Used to detect later whether the row has
   * changed, or was deleted and created again.
   */
  fingerprintOf(row: Readonly<T>): string {
    // The time is not protected, so it may be no time.
    return hash('sha256', `${Number(row.createdAt)} ${this.prepared.protection.contentOf(row)}`);
  }

  protected isAlteredBy(changes: Partial<T>, row: Readonly<T>): boolean {
    return this.prepared.protection.alteredBy(changes, row);
  }

  /** Also deletes an altered row, as a remedy. @returns whether the row existed */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.repository.delete({ id } as FindOptionsWhere<T>);
    return affected !== 0;
  }

  private async read({ lock, ...query }: RowQuery<T>): Promise<RawRow[]> {
    const builder = this.repository.createQueryBuilder('found').select([]).setFindOptions(query);
    for (const { propertyPath, databaseName } of this.prepared.columns.columns)
      builder.addSelect(`found.${propertyPath}`, databaseName);
    const cutOff = this.prepared.columns.cutOff(({ propertyPath }) => `found.${propertyPath}`);
    if (cutOff !== undefined) builder.addSelect(cutOff, CUT_OFF);
    if (lock && this.unitOfWork.locksRows) {
      builder.setLock('pessimistic_write');
      if (lock === 'skip') builder.setOnLocked('skip_locked');
    }
    return builder.getRawMany<RawRow>();
  }

  /** Undefined for an altered row. */
  private verified(raw: RawRow): T | undefined {
    const { columns, protection } = this.prepared;
    const values = columns.asWritten(raw, protection.properties);
    const row = values && Object.assign(this.repository.create(), values);
    const mac = raw.mac as string | null;
    return this.integrity.isIntact(protection, raw.id as string, row, mac) ? row : undefined;
  }

  private get prepared() {
    const { metadata } = this.repository;
    return (this.known ??= {
      columns: new RowColumns<T>(metadata),
      protection: this.integrity.protectedColumnsOf(metadata),
    });
  }

  private get repository(): Repository<T> {
    return this.unitOfWork.repository(this.entity);
  }
}
