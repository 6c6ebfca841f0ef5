import type { BytePieces } from '../../../common/http/byte-pieces';
import { MalformedResponseError } from '../json-rpc';
import { isBlank, JsonScanner, OPEN_LIST } from './json-scanner';
import { contentOf, type NodeContent, readMessage, scanBy } from './node-response';

/** The responses to the calls of a batch, in the order of the calls, and the memory they occupy. */
export interface NodeBatch {
  contents: NodeContent[];
  /** Releases the memory. Must be called once the bytes are no longer used. */
  release: () => void;
}

/**
 * Parses the response to a batch of calls with these ids, yielding to the event loop between steps. It must contain one
 * response for each id, in any order.
 *
 * @returns undefined if it is not a list: the node does not support batches
 * @throws MalformedResponseError
 */
export function* readNodeBatch(
  body: BytePieces,
  ids: readonly number[],
): Generator<void, NodeContent[] | undefined> {
  if (!beginsList(body)) return undefined;
  const scanner = new JsonScanner({ maxItems: ids.length });
  yield* scanBy(scanner, body);
  const missing = new Set(ids);
  const contents = new Map<number, NodeContent>();
  for (const { start, end } of scanner.items) {
    const message = yield* readMessage(body.slice(start, end));
    const id = message.id as number;
    if (!missing.delete(id)) throw new MalformedResponseError('has an id of no call, or one twice');
    contents.set(id, contentOf(message));
  }
  return ids.map((id) => {
    const content = contents.get(id);
    if (!content) throw new MalformedResponseError('lacks the response to a call');
    return content;
  });
}

function beginsList(body: BytePieces): boolean {
  for (const piece of body.pieces) for (const byte of piece) if (!isBlank(byte)) return byte === OPEN_LIST;
  return false;
}
