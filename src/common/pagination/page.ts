/** One page of a list and where it stands in the whole. */
export class Page<T> {
  constructor(
    readonly items: T[],
    readonly page: number,
    readonly perPage: number,
    readonly total: number,
  ) {}

  map<U>(to: (item: T) => U): Page<U> {
    return new Page(this.items.map(to), this.page, this.perPage, this.total);
  }
}
