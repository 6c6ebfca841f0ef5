/** Of one statement. MariaDB takes none that is longer than 16 MiB, unless it is configured to. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Divides items among statements, in their order. One that is too long by itself has a part of its own.
 *
 * @param limit items of a part at most
 * @param lengthOf the characters in which items differ much
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
