/** A part of a list, by page or by cursor. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** The same part of the list, with each item converted. */
  map<U>(to: (item: T) => U): ListPage<U>;
  /** @param items one for each of {@link items}, in the same order */
  withItems<U>(items: U[]): ListPage<U>;
}
