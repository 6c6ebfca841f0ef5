import type { CursorPagination } from '../envelope/envelope';
import type { ListPage } from './list-page';

/** A part of a list that is read by cursor, and the cursor of the rest; null at the end of the list. */
export class CursorPage<T> implements ListPage<T> {
  constructor(
    readonly items: T[],
    readonly perPage: number,
    readonly nextCursor: string | null,
  ) {}

  get pagination(): CursorPagination {
    return { next_cursor: this.nextCursor, per_page: this.perPage };
  }

  map<U>(to: (item: T) => U): CursorPage<U> {
    return this.withItems(this.items.map(to));
  }

  withItems<U>(items: U[]): CursorPage<U> {
    return new CursorPage(items, this.perPage, this.nextCursor);
  }
}
