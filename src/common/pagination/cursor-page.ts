/** A part of a list that is read from a cursor onwards, and the cursor of the rest; null at the end of the list. */
export class CursorPage<T> {
  constructor(
    readonly items: T[],
    readonly perPage: number,
    readonly nextCursor: string | null,
  ) {}

  map<U>(to: (item: T) => U): CursorPage<U> {
    return new CursorPage(this.items.map(to), this.perPage, this.nextCursor);
  }
}
