import type { EntityTarget, FindOptionsOrder, FindOptionsWhere, Repository } from 'typeorm';
import { Page } from '../../common/pagination/page';
import type { PageQuery } from '../../common/pagination/page-query';
import { LIST_ORDER, pageOf } from '../list-page';
import type { ProtectedColumns, ProtectedRow } from './protected-columns';
import { RowAlteredError } from './row-altered.error';
import { type RawRow, RowColumns } from './row-columns';
import type { RowIntegrity } from './row-integrity';
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
export class ProtectedRows<T extends ProtectedRow> {
  private known: { columns: RowColumns<T>; protection: ProtectedColumns } | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly integrity: RowIntegrity,
    private readonly entity: EntityTarget<T>,
  ) {}

  /** @throws RowAlteredError */
  async findOneBy(where: FindOptionsWhere<T>): Promise<T | null> {
    const [row] = await this.find({ where, take: 1 });
    return row ?? null;
  }

  /** A row that is about to be changed: nobody else changes it until the end of the unit of work. @throws RowAlteredError */
  async findToChange(id: string): Promise<T | null> {
    if (!this.unitOfWork.inProgress) throw new Error('A row is changed in the unit of work that read it');
    const [row] = await this.find({ where: { id } as FindOptionsWhere<T>, lock: 'wait' });
    return row ?? null;
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

  /** One page in the order of every list. @throws RowAlteredError where any of its rows was altered */
  list(query: PageQuery): Promise<Page<T>> {
    return pageOf(this.repository, query, (skip, take) =>
      this.find({ order: LIST_ORDER as object, skip, take }),
    );
  }

  /** Also true of a row that was altered. */
  exists(where: FindOptionsWhere<T> | FindOptionsWhere<T>[]): Promise<boolean> {
    return this.repository.exists({ where });
  }

  /** As {@link list}, for those who go on without the rows that were altered. */
  listIntact({ page, per_page }: PageQuery): Promise<FoundRows<T>> {
    return this.findIntact({ order: LIST_ORDER as object, skip: (page - 1) * per_page, take: per_page });
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
    const after = Object.assign(this.repository.create(), row, changes);
    after.mac = this.integrity.macOf(this.prepared.protection, after);
    const { affected } = await this.repository.update(
      // Whoever changes a protected column changes the MAC: the new one vouches for nothing that was not read here.
      { id: row.id, mac: row.mac } as FindOptionsWhere<T>,
      { ...changes, mac: after.mac } as Parameters<Repository<T>['update']>[1],
    );
    if (affected !== 1) throw new Error('A row was changed by somebody else than the one who holds it');
    return after;
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
