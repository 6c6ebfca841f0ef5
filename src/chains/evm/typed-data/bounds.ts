import { invalidRequest } from '../../../common/errors/domain-error';

/** Size of typed data as JSON in UTF-8 without white space. @limit Typed data, messages and transactions */
export const MAX_BYTES = 256 * 1024;
/**
 * Values in typed data: objects, arrays, strings, numbers, booleans, and the declarations of its types.
 * @limit Typed data, messages and transactions
 */
export const MAX_NODES = 10_000;
/**
 * Levels of objects and arrays inside each other in typed data, with `message`, `types` or `domain` as the first.
 * @limit Typed data, messages and transactions
 */
export const MAX_DEPTH = 32;

/**
 * Refuses typed data that is too large to process. It iterates rather than recurses, and stops at the first bound that
 * is exceeded.
 *
 * @returns the number of values
 * @throws DomainError `invalid_request`
 */
export function checkBounds(typedData: object): number {
  let level = Object.values(typedData) as unknown[];
  let nodes = level.length;
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (depth > MAX_DEPTH) throw invalidRequest(`typed data nests deeper than ${MAX_DEPTH} levels`);
      const children = Object.values(value) as unknown[];
      nodes += children.length;
      if (nodes > MAX_NODES) throw invalidRequest(`typed data has more than ${MAX_NODES} values`);
      for (const child of children) next.push(child);
    }
    level = next;
  }
  if (Buffer.byteLength(JSON.stringify(typedData)) > MAX_BYTES) {
    throw invalidRequest(`typed data is larger than ${MAX_BYTES / 1024} KiB`);
  }
  return nodes;
}
