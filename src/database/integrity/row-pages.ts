import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { getOrCreate } from '../../common/get-or-create';
import { CursorPage } from '../../common/pagination/cursor-page';
import { formatCursor, type ListCursor } from '../../common/pagination/list-cursor';
import type { ListPage } from '../../common/pagination/list-page';
import { Page } from '../../common/pagination/page';
import type { Eventually } from '../../common/event-loop/eventually';
import { eventLoopTurns } from '../../common/event-loop/event-loop-turns';
import { DEFAULT_PER_PAGE, type PageQuery } from '../../common/pagination/page-query';
import { countFitting, type StoredSize } from '../count-within';
import { pageMemory } from '../page-memory';
import { MAX_PAGE_BYTES, pageTooLarge } from '../page-size';
import type { RowCondition } from '../row-condition';
import { SharedRead } from '../shared-read';
import type { UnitOfWork } from '../unit-of-work';
import type { RowIntegrity } from './row-integrity';
import type { RawRow } from './row-columns';
import { RowReader } from './row-reader';

/** The order of every list: creation time, then id. Each table has an index on both. */
const ORDER = 'ORDER BY created_at, id';

const FIRST_PAGE = `${ORDER} LIMIT ?`;
/**
 * The ids come from the index alone, so that the rows before a deep page are not read. The limit is part of the text,
 * because SQLite must know that there are few ids; otherwise it scans all rows.
 */
const pageOf = (table: string, where: string, perPage: number): string =>
  `JOIN (SELECT id AS page_id FROM ${table} ${where} ${ORDER} LIMIT ${perPage} OFFSET ?) AS page ON id = page_id ${ORDER}`;
/**
 * The first condition lets every database start at the right place in the index; with only the `OR`, some read the
 * whole list.
 */
const FOLLOWING = 'created_at >= ? AND (created_at > ? OR id > ?)';

/** A condition that all rows satisfy. */
const ALL: RowCondition = { sql: '', values: [] };
const whereOf = (...conditions: string[]): string => {
  const given = conditions.filter((condition) => condition !== '');
  return given.length > 0 ? `WHERE ${given.join(' AND ')}` : '';
};

/** The end of a statement, beginning with its condition, and its values. */
type Ending = [string, ...unknown[]];

/** Rows that are verified at once if they may be large. */
const ROWS_PER_STEP = 10;

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The drivers return text, or JSON that is already parsed. */
const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : value ? JSON.stringify(value).length : 0;

type ListedRow = ObjectLiteral & ListCursor;

/**
 * The rows of a protected table in the order of every list, by page or by cursor. Callers that request the same page in
 * the same turn of the event loop share a statement, and all callers share the count. Nothing is cached.
 */
export class RowPages<T extends ListedRow> {
  private readonly reader: RowReader<T>;
  private readonly count = new SharedRead(() => this.countNow(ALL));
  private readonly reads = new Map<string, Promise<RawRow[]>>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly entity: EntityTarget<T>,
    integrity: RowIntegrity,
    private readonly largeColumns: readonly (keyof T & string)[] = [],
  ) {
    this.reader = new RowReader(unitOfWork, entity, { integrity });
  }

  /**
   * Lists rows. They are shared with other callers, so they must not be changed. The total counts the rows that satisfy
   * the condition.
   *
   * @throws RowAlteredError if any of them was altered
   */
  list({ page, per_page, cursor }: PageQuery, condition: RowCondition = ALL): Promise<ListPage<T>> {
    return cursor === undefined
      ? this.page(page, per_page, condition)
      : this.after(cursor, per_page, condition);
  }

  private async page(page: number, perPage: number, condition: RowCondition): Promise<Page<T>> {
    const skip = (page - 1) * perPage;
    // No list is that long, and a database may not accept such an offset.
    const isEmpty = perPage === 0 || !Number.isSafeInteger(skip);
    const rows = isEmpty ? [] : this.readAll(perPage, this.place(skip, perPage, condition));
    const isShared = condition === ALL && !this.unitOfWork.inProgress;
    const total = isShared ? this.count.get() : this.countNow(condition);
    const [items, count] = await Promise.all([rows, total]);
    return new Page(await this.entitiesOf(items), page, perPage, count);
  }

  private place(skip: number, perPage: number, { sql, values }: RowCondition): Ending {
    const where = whereOf(sql);
    return skip === 0
      ? [`${where} ${FIRST_PAGE}`, ...values, perPage]
      : [pageOf(this.table, where, perPage), ...values, skip];
  }

  private async after(
    cursor: ListCursor | null,
    perPage: number,
    { sql, values }: RowCondition,
  ): Promise<CursorPage<T>> {
    const time = cursor && this.timeOf(cursor);
    const [ending, ...positions]: Ending = cursor
      ? [`${whereOf(FOLLOWING, sql)} ${FIRST_PAGE}`, time, time, cursor.id, ...values]
      : [`${whereOf(sql)} ${FIRST_PAGE}`, ...values];
    const count = await this.countWithin(perPage, [ending, ...positions, perPage]);
    // One more row shows whether there is a next page. It is not returned, so it may be an altered one.
    const rows = await this.read(ending, ...positions, count + 1);
    const items = await this.entitiesOf(rows.slice(0, count));
    const last = rows.length > count ? (items.at(-1) ?? cursor) : undefined;
    return new CursorPage(items, perPage, last ? formatCursor(last) : null);
  }

  private timeOf({ createdAt }: ListCursor): unknown {
    const { dataSource } = this.unitOfWork.manager;
    const column = dataSource.getMetadata(this.entity).findColumnWithPropertyName('createdAt');
    return column ? dataSource.driver.preparePersistentValue(createdAt, column) : createdAt;
  }

  /** @throws DomainError `invalid_request` if the page is too large: a partial page would look like the last one */
  private async readAll(perPage: number, ending: Ending): Promise<RawRow[]> {
    if ((await this.countWithin(perPage, ending)) < perPage) throw pageTooLarge();
    return this.read(...ending);
  }

  /** How many rows a page has at most: fewer than wanted if they are too large together. */
  private async countWithin(wanted: number, [ending, ...values]: Ending): Promise<number> {
    // The default number always fits.
    if (this.largeColumns.length === 0 || wanted <= DEFAULT_PER_PAGE) return wanted;
    const { driver } = this.unitOfWork.manager.dataSource;
    const size = this.largeColumns.map(
      (property) => `COALESCE(OCTET_LENGTH(${driver.escape(this.columnOf(property))}), 0)`,
    );
    const statement = `SELECT ${size.join(' + ')} AS size FROM ${this.table} ${ending}`;
    const sizes = await this.unitOfWork.manager.query<StoredSize[]>(statement, values);
    return countFitting(sizes, wanted, MAX_PAGE_BYTES);
  }

  private read(ending: string, ...values: unknown[]): Promise<RawRow[]> {
    if (this.unitOfWork.inProgress) return this.reader.read(ending, values);
    const key = JSON.stringify([ending, values]);
    return getOrCreate(this.reads, key, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      this.reads.delete(key);
      return this.reader.read(ending, values);
    });
  }

  /** Large rows take long to verify, so other requests are served meanwhile. @throws DomainError `overloaded` */
  private entitiesOf(rows: RawRow[]): Eventually<T[]> {
    const columns = this.largeColumns.map((property) => this.columnOf(property));
    if (columns.length > 0)
      pageMemory.reserve(sum(rows.map((row) => sum(columns.map((name) => sizeOf(row[name]))))));
    return eventLoopTurns.run(this.verify(rows));
  }

  private *verify(rows: RawRow[]): Generator<void, T[]> {
    const entities: T[] = [];
    for (const raw of rows) {
      const row = this.reader.entityOf(raw);
      if (row instanceof Error) throw row;
      entities.push(row);
      if (this.largeColumns.length > 0 && entities.length % ROWS_PER_STEP === 0) yield;
    }
    return entities;
  }

  private async countNow({ sql, values }: RowCondition): Promise<number> {
    const [row] = await this.unitOfWork.manager.query<{ total: number | string }[]>(
      `SELECT COUNT(*) AS total FROM ${this.table} ${whereOf(sql)}`,
      [...values],
    );
    return Number(row?.total);
  }

  private columnOf(property: string): string {
    const { dataSource } = this.unitOfWork.manager;
    const column = dataSource.getMetadata(this.entity).findColumnWithPropertyName(property);
    if (!column) throw new Error(`There is no column for ${property}`);
    return column.databaseName;
  }

  private get table(): string {
    const { dataSource } = this.unitOfWork.manager;
    return dataSource.driver.escape(dataSource.getMetadata(this.entity).tablePath);
  }
}
