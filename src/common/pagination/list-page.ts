/** A part of a list, by page or by cursor. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** The number of items in the whole list, if the part was requested by page. */
  readonly total?: number;
  /** The `cursor` of the next request, if the part was requested by cursor; null at the end of the list. */
  readonly nextCursor?: string | null;
  /** The same part of the list, with each item converted. */
  map<U>(to: (item: T) => U): ListPage<U>;
  /** @param items one for each of {@link items}, in the same order */
  withItems<U>(items: U[]): ListPage<U>;
}
