/** A part of a list, by page or by cursor. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** The same part of the list, with each item in another form. */
  map<U>(to: (item: T) => U): ListPage<U>;
  /** @param items one for each of {@link items}, in their order */
  withItems<U>(items: U[]): ListPage<U>;
}
