import type { FindOptionsWhere } from 'typeorm';
import { CursorPage } from '../common/pagination/cursor-page';
import { formatCursor, type ListCursor } from '../common/pagination/list-cursor';
import type { ListPage } from '../common/pagination/list-page';
import { Page } from '../common/pagination/page';
import type { PageQuery } from '../common/pagination/page-query';
import { idsOf, type LargeRowList, LargeRowPages, type SearchedRows } from './large-row-pages';

/**
 * Deliveries or changes that a page reads at most to find those that a limited API key reaches; then a page by cursor
 * ends, and its cursor continues. @limit Lists and batches
 */
const MAX_SCANNED = 5000;

/**
 * Conditions for those rows of a list that a caller sees. The members of each array are alternatives that have no rows
 * in common; conditions on `createdAt` must be operators.
 */
export interface SparseRows<T> {
  /** Undefined if the values that select the rows are too many to look each up in an index. */
  selected?:
    | {
        /** Each has an index: the rows that the caller could see if they matched the filters, or more. */
        all: FindOptionsWhere<T>[];
        /** The rows that the caller sees; each is found by the index of one of `all`. */
        matching: FindOptionsWhere<T>[];
      }
    | undefined;
  /**
   * The rows to search if many are selected. For each part, an index has the rows in the order of the list; the condition
   * for those that the caller sees must not suit an index.
   */
  searched: SearchedRows<T>[];
}

/** A part of the rows that a caller sees. */
export interface SparsePart {
  positions: ListCursor[];
  /** Where the search ended; undefined if it has reached the end of the list, or has found as many as requested. */
  end: ListCursor | undefined;
}

/**
 * Pages of a list of which a caller sees only the rows of some relayers. No index has the rows of several relayers in
 * the order of the list, so that a database could read the whole list for one page. If few rows are about the relayers,
 * all of them are looked up; otherwise a page by cursor searches the next rows of the list.
 */
export class SparsePages<T extends ListCursor> {
  private readonly pages: LargeRowPages<T>;

  constructor(private readonly rows: LargeRowList<T>) {
    this.pages = new LargeRowPages(rows);
  }

  /** @throws DomainError `invalid_request` if a page by number is too large */
  list(rows: SparseRows<T>, { page, per_page, cursor }: PageQuery): Promise<ListPage<T>> {
    return cursor === undefined ? this.page(rows, page, per_page) : this.after(rows, cursor, per_page);
  }

  /** The page that follows a cursor, or the first page. It may have fewer rows although others follow. */
  async after(rows: SparseRows<T>, cursor: ListCursor | null, perPage: number): Promise<CursorPage<T>> {
    // One more row shows whether there is a next page.
    const { positions, end } = await this.part(rows, cursor, perPage + 1);
    const page = await this.pages.after([idsOf(positions.slice(0, perPage))], null, perPage);
    if (page.nextCursor !== null) return page;
    const last = positions.length > perPage ? (positions[perPage - 1] ?? cursor) : end;
    return new CursorPage(page.items, perPage, last ? formatCursor(last) : null);
  }

  /** The positions of up to `count` of the next rows. */
  async part(rows: SparseRows<T>, cursor: ListCursor | null, count: number): Promise<SparsePart> {
    const few = await this.few(rows);
    if (!few) return this.search(rows, cursor, count);
    const following = few.filter((row) => !cursor || this.pages.isBefore(cursor, row));
    return { positions: following.slice(0, count), end: undefined };
  }

  private async page(rows: SparseRows<T>, page: number, perPage: number): Promise<Page<T>> {
    const few = await this.few(rows);
    if (!few) return this.pages.page(rows.selected?.matching ?? alternativesOf(rows), page, perPage);
    const skip = (page - 1) * perPage;
    const positions = few.slice(skip, skip + perPage);
    const items = await this.pages.readPage([idsOf(positions)], 0, positions.length);
    return new Page(items, page, perPage, few.length);
  }

  /** The positions of all rows that the caller sees, in order; undefined if many are selected, whether they match or not. */
  private async few({ selected }: SparseRows<T>): Promise<ListCursor[] | undefined> {
    if (!selected) return undefined;
    for (const where of selected.all)
      if ((await this.find(where, { skip: MAX_SCANNED, take: 1 })).length > 0) return undefined;
    const found: ListCursor[] = [];
    for (const where of selected.matching) found.push(...(await this.find(where)));
    return this.pages.sorted(found);
  }

  /** Not sorted: a database would rather read the list in its order than look up the rows. */
  private find(where: FindOptionsWhere<T>, part?: { skip: number; take: number }): Promise<ListCursor[]> {
    const select = { id: true, createdAt: true };
    return this.rows.repository().find({ select, where, ...part } as object);
  }

  private async search(
    { searched }: SparseRows<T>,
    cursor: ListCursor | null,
    count: number,
  ): Promise<SparsePart> {
    const parts = searched.map(({ part }) => part);
    const end = await this.pages.endAfter(parts, cursor, MAX_SCANNED);
    const range = { cursor, end, searched: MAX_SCANNED };
    const found: ListCursor[] = [];
    for (const one of searched) found.push(...(await this.pages.positionsAmong(one, range, count)));
    const positions = this.pages
      .sorted(found)
      .filter((position) => !end || !this.pages.isBefore(end, position))
      .slice(0, count);
    return { positions, end: positions.length < count ? end : undefined };
  }
}

const alternativesOf = <T>({ searched }: SparseRows<T>): FindOptionsWhere<T>[] =>
  searched.map(({ part, shown }) => ({ ...part, ...shown }));
