import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { CursorPage } from '../../common/pagination/cursor-page';
import { formatCursor, type ListCursor } from '../../common/pagination/list-cursor';
import type { ListPage } from '../../common/pagination/list-page';
import { Page } from '../../common/pagination/page';
import type { PageQuery } from '../../common/pagination/page-query';
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
    const rows = isEmpty ? [] : this.read(...this.place(skip, perPage, condition));
    const isShared = condition === ALL && !this.unitOfWork.inProgress;
    const total = isShared ? this.count.get() : this.countNow(condition);
    const [items, count] = await Promise.all([rows, total]);
    return new Page(this.entitiesOf(items), page, perPage, count);
  }

  private place(skip: number, perPage: number, { sql, values }: RowCondition): [string, ...unknown[]] {
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
    // One more row shows whether there is a next page. It is not returned, so it may be an altered one.
    const take = perPage + 1;
    const time = cursor && this.timeOf(cursor);
    const rows = await (cursor
      ? this.read(`${whereOf(FOLLOWING, sql)} ${FIRST_PAGE}`, time, time, cursor.id, ...values, take)
      : this.read(`${whereOf(sql)} ${FIRST_PAGE}`, ...values, take));
    const items = this.entitiesOf(rows.slice(0, perPage));
    const last = rows.length > perPage ? (items.at(-1) ?? cursor) : undefined;
    return new CursorPage(items, perPage, last ? formatCursor(last) : null);
  }

  private timeOf({ createdAt }: ListCursor): unknown {
    const { dataSource } = this.unitOfWork.manager;
    const column = dataSource.getMetadata(this.entity).findColumnWithPropertyName('createdAt');
    return column ? dataSource.driver.preparePersistentValue(createdAt, column) : createdAt;
  }

  private read(ending: string, ...values: unknown[]): Promise<RawRow[]> {
    if (this.unitOfWork.inProgress) return this.reader.read(ending, values);
    const key = JSON.stringify([ending, values]);
    let shared = this.reads.get(key);
    if (!shared) {
      shared = new Promise((resolve) => setImmediate(resolve)).then(() => {
        this.reads.delete(key);
        return this.reader.read(ending, values);
      });
      this.reads.set(key, shared);
    }
    return shared;
  }

  private entitiesOf(rows: RawRow[]): T[] {
    return rows.map((raw) => {
      const row = this.reader.entityOf(raw);
      if (row instanceof Error) throw row;
      return row;
    });
  }

  private async countNow({ sql, values }: RowCondition): Promise<number> {
    const [row] = await this.unitOfWork.manager.query<{ total: number | string }[]>(
      `SELECT COUNT(*) AS total FROM ${this.table} ${whereOf(sql)}`,
      [...values],
    );
    return Number(row?.total);
  }

  private get table(): string {
    const { dataSource } = this.unitOfWork.manager;
    return dataSource.driver.escape(dataSource.getMetadata(this.entity).tablePath);
  }
}
