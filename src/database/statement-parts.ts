/** The maximum number of characters in one statement. By default, MariaDB accepts none that is longer than 16 MiB. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Divides items among statements, in order. An item that is too long has a part of its own.
 *
 * @param limit the maximum number of items in a part
 * @param lengthOf the number of characters in the part of an item that varies most
 */
export function* statementParts<T>(
  items: readonly T[],
  limit: number,
  lengthOf: (item: T) => number,
): Generator<T[]> {
  let part: T[] = [];
  let characters = 0;
  for (const item of items) {
    const length = lengthOf(item);
    if (part.length === limit || (part.length > 0 && characters + length > MAX_CHARACTERS)) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(item);
    characters += length;
  }
  if (part.length > 0) yield part;
}
