import type { Pagination } from '../envelope/envelope';
import type { ListPage } from './list-page';

/** One page of a list, with its position in the list. */
export class Page<T> implements ListPage<T> {
  constructor(
    readonly items: T[],
    readonly page: number,
    readonly perPage: number,
    readonly total: number,
  ) {}

  get pagination(): Pagination {
    return { current_page: this.page, per_page: this.perPage, total_items: this.total };
  }

  map<U>(to: (item: T) => U): Page<U> {
    return this.withItems(this.items.map(to));
  }

  withItems<U>(items: U[]): Page<U> {
    return new Page(items, this.page, this.perPage, this.total);
  }
}
