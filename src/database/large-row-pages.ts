import { And, type FindOperator, type FindOptionsWhere, LessThan, MoreThan, type Repository } from 'typeorm';
import { invalidRequest } from '../common/errors/domain-error';
import { CursorPage } from '../common/pagination/cursor-page';
import { formatCursor, type ListCursor } from '../common/pagination/list-cursor';
import type { ListPage } from '../common/pagination/list-page';
import { Page } from '../common/pagination/page';
import { DEFAULT_PER_PAGE, type PageQuery } from '../common/pagination/page-query';
import { countWithin } from './count-within';
import type { RowQuery } from './integrity/protected-rows';

/**
 * The stored size of a page of transactions, deliveries or changes. A page by cursor ends there; a larger page by
 * number is refused. @limit Lists and batches
 */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** Alternatives; conditions on `createdAt` must be operators. */
type Where<T> = FindOptionsWhere<T>[];

/** How the rows of a list are read. */
export interface LargeRowList<T> {
  repository: () => Repository<T & ListCursor>;
  find: (query: RowQuery<T>) => Promise<T[]>;
  /** The columns that may be large. */
  largeColumns: readonly (keyof T & string)[];
  /** By time of creation. */
  order: 'ASC' | 'DESC';
}

/** Pages of a list whose rows may be so large that the largest number of them must not be read at once. */
export class LargeRowPages<T extends ListCursor> {
  constructor(private readonly rows: LargeRowList<T>) {}

  /** @throws DomainError `invalid_request` if a page by number is too large */
  list(where: Where<T>, { page, per_page, cursor }: PageQuery): Promise<ListPage<T>> {
    return cursor === undefined ? this.page(where, page, per_page) : this.after(where, cursor, per_page);
  }

  /** The page that follows a cursor, or the first page. */
  async after(where: Where<T>, cursor: ListCursor | null, perPage: number): Promise<CursorPage<T>> {
    const following = this.followingOf(where, cursor);
    const count = await this.countWithin({ where: following, take: perPage });
    // One more row shows whether there is a next page.
    const found = await this.find({ where: following, take: count + 1 });
    const items = found.slice(0, count);
    const last = found.length > count ? (items.at(-1) ?? cursor) : undefined;
    return new CursorPage(items, perPage, last ? formatCursor(last) : null);
  }

  /** The position of the last of `count` rows after a cursor, or from the beginning; undefined if there are fewer. */
  async positionAfter(
    where: Where<T>,
    cursor: ListCursor | null,
    count: number,
  ): Promise<ListCursor | undefined> {
    const [row] = await this.rows
      .repository()
      .createQueryBuilder('listed')
      .select(['listed.id', 'listed.createdAt'])
      .setFindOptions({ where: this.followingOf(where, cursor), order: this.order })
      .offset(count - 1)
      .limit(1)
      .getMany();
    return row;
  }

  private async page(where: Where<T>, page: number, perPage: number): Promise<Page<T>> {
    const skip = (page - 1) * perPage;
    const isEmpty = perPage === 0 || !Number.isSafeInteger(skip);
    const [found, total] = await Promise.all([
      isEmpty ? [] : this.readPage({ where, skip, take: perPage }),
      this.rows.repository().countBy(where as FindOptionsWhere<T & ListCursor>[]),
    ]);
    return new Page(found, page, perPage, total);
  }

  private async readPage(query: RowQuery<T> & { take: number }): Promise<T[]> {
    // A partial page would look like the last one.
    if ((await this.countWithin(query)) < query.take)
      throw invalidRequest(
        `the page has more than ${MAX_PAGE_BYTES / 1024 ** 2} MiB: request a smaller per_page, or page by cursor`,
      );
    return this.find(query);
  }

  private async countWithin({ take, ...query }: RowQuery<T> & { take: number }): Promise<number> {
    // The default number always fits.
    if (take <= DEFAULT_PER_PAGE) return take;
    const selection = this.rows
      .repository()
      .createQueryBuilder('listed')
      .setFindOptions({ ...query, order: this.order } as object);
    return countWithin(selection, { limit: take, bytes: MAX_PAGE_BYTES, columns: this.rows.largeColumns });
  }

  private find(query: RowQuery<T>): Promise<T[]> {
    return this.rows.find({ ...query, order: this.order });
  }

  private followingOf(where: Where<T>, cursor: ListCursor | null): Where<T> {
    return cursor ? where.flatMap((one) => this.following(one, cursor)) : where;
  }

  private following(where: FindOptionsWhere<T>, { createdAt, id }: ListCursor): Where<T> {
    const beyond = this.rows.order === 'ASC' ? MoreThan : LessThan;
    const { createdAt: times } = where as { createdAt?: FindOperator<Date> };
    return [
      { ...where, createdAt: times ? And(times, beyond(createdAt)) : beyond(createdAt) },
      // The cursor's own time satisfies any condition on times that its page satisfied.
      { ...where, createdAt, id: beyond(id) },
    ];
  }

  private get order(): object {
    return { createdAt: this.rows.order, id: this.rows.order };
  }
}
