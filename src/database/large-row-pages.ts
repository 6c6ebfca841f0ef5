import {
  And,
  type FindOperator,
  type FindOptionsWhere,
  In,
  LessThanOrEqual,
  MoreThanOrEqual,
  Raw,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { CursorPage } from '../common/pagination/cursor-page';
import { formatCursor, type ListCursor } from '../common/pagination/list-cursor';
import type { ListPage } from '../common/pagination/list-page';
import { Page } from '../common/pagination/page';
import { DEFAULT_PER_PAGE, type PageQuery } from '../common/pagination/page-query';
import { countWithin } from './count-within';
import type { RowQuery } from './integrity/protected-rows';
import { MAX_PAGE_BYTES, pageTooLarge } from './page-size';

/** Alternatives that have no rows in common; conditions on `createdAt` must be operators. */
type Where<T> = FindOptionsWhere<T>[];

/** Rows of which some are shown. */
export interface SearchedRows<T> {
  part: FindOptionsWhere<T>;
  /** A condition on the rows of the part. */
  shown: FindOptionsWhere<T>;
}

/** A range of at most about `searched` rows. */
export interface SearchedRange {
  cursor: ListCursor | null;
  /** Rows of the same time may follow; undefined for the end of the list. */
  end: ListCursor | undefined;
  searched: number;
}

/** How the rows of a list are read. */
export interface LargeRowList<T> {
  repository: () => Repository<T & ListCursor>;
  find: (query: RowQuery<T>) => Promise<T[]>;
  /** The columns that may be large. */
  largeColumns: readonly (keyof T & string)[];
  /** By time of creation. */
  order: 'ASC' | 'DESC';
  /**
   * The index that has the rows with a condition in the order of the list, if there is one. MySQL sometimes prefers an
   * index of more rows, and sorts them.
   */
  indexOf: (where: FindOptionsWhere<T>) => string | undefined;
}

/**
 * Pages of a list whose rows may be so large that the largest number of them must not be read at once. Except on the
 * first page, the ids of rows are looked up first, because databases find these by an index alone: otherwise some read
 * all rows up to the page, or all rows of the list for alternatives.
 */
export class LargeRowPages<T extends ListCursor> {
  constructor(private readonly rows: LargeRowList<T>) {}

  /** @throws DomainError `invalid_request` if a page by number is too large */
  list(where: Where<T>, { page, per_page, cursor }: PageQuery): Promise<ListPage<T>> {
    return cursor === undefined ? this.page(where, page, per_page) : this.after(where, cursor, per_page);
  }

  /** The page that follows a cursor, or the first page. */
  async after(where: Where<T>, cursor: ListCursor | null, perPage: number): Promise<CursorPage<T>> {
    // One more row shows whether there is a next page.
    const take = perPage + 1;
    const isFirst = !cursor && where.length === 1;
    const positions = isFirst ? undefined : await this.positionsAfter(where, cursor, take);
    const query = positions ? { where: [idsOf<T>(positions.slice(0, perPage))] } : { where };
    const count = await this.countWithin({ ...query, take: perPage });
    const found = await this.find({ ...query, take: count + 1 });
    const items = found.slice(0, count);
    const isCut = found.length > count;
    const last = isCut
      ? (items.at(-1) ?? cursor)
      : positions?.[perPage] && (positions[perPage - 1] ?? cursor);
    return new CursorPage(items, perPage, last ? formatCursor(last) : null);
  }

  /** The page of a number, with the total. @throws DomainError `invalid_request` if it is too large */
  async page(where: Where<T>, page: number, perPage: number): Promise<Page<T>> {
    const skip = (page - 1) * perPage;
    const isEmpty = perPage === 0 || !Number.isSafeInteger(skip);
    const [found, total] = await Promise.all([
      isEmpty ? [] : this.readPage(where, skip, perPage),
      this.count(where),
    ]);
    return new Page(found, page, perPage, total);
  }

  /** The positions of up to `count` rows after a cursor, or from the beginning; read from an index if one suffices. */
  async positionsAfter(where: Where<T>, cursor: ListCursor | null, count: number): Promise<ListCursor[]> {
    const found: ListCursor[] = [];
    for (const one of where) found.push(...(await this.positions(one, cursor).limit(count).getMany()));
    return this.sorted(found).slice(0, count);
  }

  /**
   * The last position of a part of a list that has `count` rows of an alternative, and no more of any other; undefined
   * if there are fewer rows after the cursor.
   */
  async endAfter(where: Where<T>, cursor: ListCursor | null, count: number): Promise<ListCursor | undefined> {
    const ends: ListCursor[] = [];
    for (const one of where)
      ends.push(
        ...(await this.positions(one, cursor)
          .offset(count - 1)
          .limit(1)
          .getMany()),
      );
    return this.sorted(ends)[0];
  }

  /**
   * The positions of up to `count` rows that are shown among those of a part from a cursor to an end. An index has the
   * rows of the part in order; the condition for those that are shown must not suit an index, so that no other rows are
   * read.
   */
  positionsAmong(
    { part, shown }: SearchedRows<T>,
    { cursor, end, searched }: SearchedRange,
    count: number,
  ): Promise<ListCursor[]> {
    const repository = this.rows.repository();
    const until = end ? this.upTo(part, end) : part;
    const next = (query: SelectQueryBuilder<T>): SelectQueryBuilder<T> =>
      query
        .select('searched.id', 'searched_id')
        .from(repository.target, 'searched')
        .useIndex(this.indexesOf(part))
        .setFindOptions(this.optionsOf(until, cursor))
        // More than there are, unless rows were added meanwhile; only with a limit is this part read first.
        .limit(2 * searched);
    return repository
      .createQueryBuilder('listed')
      .select(['listed.id', 'listed.createdAt'])
      .innerJoin(next as never, 'next', 'next.searched_id = listed.id')
      .setFindOptions(this.optionsOf(shown, null))
      .limit(count)
      .getMany();
  }

  /** In the order of the list. */
  sorted<P extends ListCursor>(positions: readonly P[]): P[] {
    return positions.toSorted((one, other) => (this.isBefore(one, other) ? -1 : 1));
  }

  /** Whether a position comes before another one in the list. */
  isBefore(one: ListCursor, other: ListCursor): boolean {
    const [first, second] = this.rows.order === 'ASC' ? [one, other] : [other, one];
    const [at, otherAt] = [first.createdAt.getTime(), second.createdAt.getTime()];
    return at === otherAt ? first.id < second.id : at < otherAt;
  }

  /** Some of the rows, in order. @throws DomainError `invalid_request` if they are too large */
  async readPage(where: Where<T>, skip: number, take: number): Promise<T[]> {
    const query = { where: await this.onPage(where, skip, take), take };
    // A partial page would look like the last one.
    if ((await this.countWithin(query)) < take) throw pageTooLarge();
    return this.find(query);
  }

  /** A separate statement for each alternative can use the index of its condition. */
  private async count(where: Where<T>): Promise<number> {
    let total = 0;
    for (const one of where) total += await this.rows.repository().countBy(one);
    return total;
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

  private async onPage(where: Where<T>, skip: number, take: number): Promise<Where<T>> {
    const [only, ...others] = where;
    if (only && others.length === 0) {
      if (skip === 0) return where;
      return [idsOf<T>(await this.positions(only, null).offset(skip).limit(take).getMany())];
    }
    const alternatives = where.map((one) =>
      this.positions(one, null)
        .select('listed.id', 'id')
        .addSelect('listed.createdAt', 'created_at')
        .limit(skip + take)
        .getQueryAndParameters(),
    );
    const union = alternatives.map(([statement]) => `SELECT * FROM (${statement}) AS alternative`);
    const found = await this.rows.repository().query<{ id: string }[]>(
      `${union.join(' UNION ALL ')} ` +
        `ORDER BY created_at ${this.rows.order}, id ${this.rows.order} LIMIT ${take} OFFSET ${skip}`,
      alternatives.flatMap(([, parameters]) => parameters as unknown[]),
    );
    return [idsOf<T>(found)];
  }

  private positions(
    where: FindOptionsWhere<T>,
    cursor: ListCursor | null,
  ): SelectQueryBuilder<T & ListCursor> {
    return this.rows
      .repository()
      .createQueryBuilder('listed')
      .useIndex(this.indexesOf(where))
      .select(['listed.id', 'listed.createdAt'])
      .setFindOptions(this.optionsOf(where, cursor));
  }

  private indexesOf(where: FindOptionsWhere<T>): string[] {
    const index = this.rows.indexOf(where);
    return index === undefined ? [] : [index];
  }

  private optionsOf(where: FindOptionsWhere<T>, cursor: ListCursor | null): object {
    return { where: cursor ? this.beyond(where, cursor) : where, order: this.order };
  }

  private beyond(where: FindOptionsWhere<T>, { createdAt: cursorTime, id: cursorId }: ListCursor): object {
    const sign = this.rows.order === 'ASC' ? '>' : '<';
    // The first condition lets every database start at the right place in the index.
    const following = Raw(
      (time) => `(${time} ${sign}= :cursorTime AND (${time} ${sign} :cursorTime OR id ${sign} :cursorId))`,
      { cursorTime, cursorId },
    );
    const { createdAt: times } = where as { createdAt?: FindOperator<Date> };
    return { ...where, createdAt: times ? And(times, following) : following };
  }

  private upTo(where: FindOptionsWhere<T>, { createdAt }: ListCursor): FindOptionsWhere<T> {
    const { createdAt: times } = where as { createdAt?: FindOperator<Date> };
    const until = this.rows.order === 'ASC' ? LessThanOrEqual(createdAt) : MoreThanOrEqual(createdAt);
    return { ...where, createdAt: times ? And(times, until) : until };
  }

  private get order(): object {
    return { createdAt: this.rows.order, id: this.rows.order };
  }
}

/** The condition for rows with these ids. */
export const idsOf = <T extends ListCursor>(rows: readonly Pick<ListCursor, 'id'>[]): FindOptionsWhere<T> =>
  ({ id: In(rows.map(({ id }) => id)) }) as FindOptionsWhere<T>;
