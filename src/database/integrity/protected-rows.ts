import type { EntityTarget, FindOptionsOrder, FindOptionsWhere, Repository } from 'typeorm';
import type { ListCursor } from '../../common/pagination/list-cursor';
import type { ListPage } from '../../common/pagination/list-page';
import type { PageQuery } from '../../common/pagination/page-query';
import { affectedRows } from '../affected-rows';
import type { ProtectedColumns, ProtectedRow } from './protected-columns';
import { RowAlteredError } from './row-altered.error';
import { type RawRow, RowColumns } from './row-columns';
import type { RowIntegrity } from './row-integrity';
import { RowLookup } from './row-lookup';
import { RowPages } from './row-pages';
import type { UnitOfWork } from '../unit-of-work';

/** Which rows, in which order, and whether they are held until the end of the unit of work. */
export interface RowQuery<T> {
  where?: FindOptionsWhere<T> | FindOptionsWhere<T>[];
  order?: FindOptionsOrder<T>;
  skip?: number;
  take?: number;
  /** `wait` for rows that others hold, or `skip` those. SQLite runs units of work one after the other and locks nothing. */
  lock?: 'wait' | 'skip';
}

/** Rows that were found: those that can be used, and the ids of those that were altered. */
export interface FoundRows<T> {
  intact: T[];
  altered: string[];
}

/**
 * The rows of a protected table: what is read was checked against its MAC, what is written carries one.
 *
 * @see {@link RowIntegrity} which logs and counts each altered row that is met
 */
export class ProtectedRows<T extends ProtectedRow & ListCursor> {
  private readonly lookup: RowLookup<T>;
  private readonly pages: RowPages<T>;
  private known: { columns: RowColumns<T>; protection: ProtectedColumns } | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly integrity: RowIntegrity,
    private readonly entity: EntityTarget<T>,
  ) {
    this.lookup = new RowLookup<T>(unitOfWork, entity, undefined, { integrity });
    this.pages = new RowPages(unitOfWork, entity, integrity);
  }

  /** @throws RowAlteredError */
  async findOneBy(where: FindOptionsWhere<T>): Promise<T | null> {
    const [row] = await this.find({ where, take: 1 });
    return row ?? null;
  }

  /** See {@link RowLookup}: others may hold the row too, so it must not be changed. @throws RowAlteredError */
  findById(id: string): Promise<Readonly<T> | null> {
    return this.lookup.find(id) as Promise<T | null>;
  }

  /** A row that is about to be changed: nobody else changes it until the end of the unit of work. @throws RowAlteredError */
  async findToChange(id: string): Promise<T | null> {
    if (!this.unitOfWork.inProgress) throw new Error('A row is changed in the unit of work that read it');
    const { columns, protection } = this.prepared;
    const lock = this.unitOfWork.locksRows ? ' FOR UPDATE' : '';
    const [raw] = await this.unitOfWork.manager.query<RawRow[]>(`${columns.selection} WHERE id = ?${lock}`, [
      id,
    ]);
    if (!raw) return null;
    const row = this.verified(raw);
    if (!row) throw new RowAlteredError(protection.declared.table, raw.id as string);
    return row;
  }

  /** @throws RowAlteredError where any of the rows was altered */
  async find(query: RowQuery<T>): Promise<T[]> {
    const { intact, altered } = await this.findIntact(query);
    if (altered[0] !== undefined)
      throw new RowAlteredError(this.prepared.protection.declared.table, altered[0]);
    return intact;
  }

  /** For those who go on without the rows that were altered. */
  async findIntact(query: RowQuery<T>): Promise<FoundRows<T>> {
    const found: FoundRows<T> = { intact: [], altered: [] };
    for (const raw of await this.read(query)) {
      const row = this.verified(raw);
      if (row) found.intact.push(row);
      else found.altered.push(raw.id as string);
    }
    return found;
  }

  /** See {@link RowPages}: others may hold the rows too. @throws RowAlteredError where any of the rows was altered */
  list(query: PageQuery): Promise<ListPage<T>> {
    return this.pages.list(query);
  }

  /** Also true of a row that was altered. */
  exists(where: FindOptionsWhere<T> | FindOptionsWhere<T>[]): Promise<boolean> {
    return this.repository.exists({ where });
  }

  /** As {@link list}, for those who go on without the rows that were altered. */
  listIntact({ page, per_page }: PageQuery): Promise<FoundRows<T>> {
    const order = { createdAt: 'ASC', id: 'ASC' } as object;
    return this.findIntact({ order, skip: (page - 1) * per_page, take: per_page });
  }

  async insert(row: Omit<T, 'mac'>): Promise<T> {
    const [inserted] = await this.insertAll([row]);
    if (!inserted) throw new Error('A row was not inserted');
    return inserted;
  }

  async insertAll(rows: readonly Omit<T, 'mac'>[]): Promise<T[]> {
    const { protection } = this.prepared;
    const complete = rows.map((row) =>
      Object.assign(this.repository.create(), row, { mac: this.integrity.macOf(protection, row) }),
    );
    await this.repository.insert(complete as Parameters<Repository<T>['insert']>[0]);
    return complete;
  }

  /** @param row as {@link findToChange} gave it in this unit of work */
  async update(row: T, changes: Partial<Omit<T, 'id' | 'mac'>>): Promise<T> {
    const after = await this.updateUnchanged(row, changes);
    if (!after) throw new Error('A row was changed by somebody else than the one who holds it');
    return after;
  }

  /** Changes a row that nobody holds; null where somebody else has changed it since it was read, or deleted it. */
  async updateUnchanged(row: Readonly<T>, changes: Partial<Omit<T, 'id' | 'mac'>>): Promise<T | null> {
    const { columns, protection } = this.prepared;
    const after: T = Object.assign(this.repository.create(), row, changes);
    after.mac = this.integrity.macOf(protection, after);
    const { assignments, values } = columns.assignmentsOf(after, [...Object.keys(changes), 'mac']);
    // Whoever changes a protected column changes the MAC: the new one vouches for nothing that was not read here.
    const statement = `UPDATE ${columns.table} SET ${assignments} WHERE id = ? AND mac = ?`;
    const affected = await affectedRows(this.unitOfWork.manager, statement, [...values, row.id, row.mac]);
    return affected === 1 ? after : null;
  }

  /** Also deletes a row that was altered: that is a remedy. @returns whether there was one */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.repository.delete({ id } as FindOptionsWhere<T>);
    return affected !== 0;
  }

  private async read({ lock, ...query }: RowQuery<T>): Promise<RawRow[]> {
    const builder = this.repository.createQueryBuilder('found').select([]).setFindOptions(query);
    for (const { propertyPath, databaseName } of this.prepared.columns.columns)
      builder.addSelect(`found.${propertyPath}`, databaseName);
    if (lock && this.unitOfWork.locksRows) {
      builder.setLock('pessimistic_write');
      if (lock === 'skip') builder.setOnLocked('skip_locked');
    }
    return builder.getRawMany<RawRow>();
  }

  /** Undefined for a row that was altered. */
  private verified(raw: RawRow): T | undefined {
    const { columns, protection } = this.prepared;
    let row: T | undefined;
    try {
      row = Object.assign(this.repository.create(), columns.entityOf(raw));
    } catch {
      // A JSON column holds something else.
    }
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
