import type { BytePieces } from '../../../common/http/byte-pieces';
import { MalformedResponseError } from '../json-rpc';
import { JsonScanner } from './json-scanner';
import { scanBy } from './node-response';

/** Blocks and receipts on some chains have more than thirty members. */
const MAX_MEMBERS = 128;
/** No requested name is longer. */
const MAX_NAME_BYTES = 128;

/**
 * Extracts the named members from a text that is known to be JSON. Other members, such as thousands of log entries, are
 * scanned but not built. Yields to the event loop between steps.
 *
 * @returns undefined if the text is not an object
 * @throws MalformedResponseError
 */
export function* resultMembers(
  text: BytePieces,
  names: readonly string[],
): Generator<void, ReadonlyMap<string, BytePieces> | undefined> {
  const scanner = new JsonScanner({ maxMembers: MAX_MEMBERS });
  const isObject = yield* scanBy(scanner, text);
  if (!isObject) return undefined;
  const members = new Map<string, BytePieces>();
  for (const { nameStart, nameEnd, valueStart, valueEnd } of scanner.members) {
    if (nameEnd - nameStart > MAX_NAME_BYTES) continue;
    const name = JSON.parse(text.slice(nameStart, nameEnd).toString()) as string;
    if (!names.includes(name)) continue;
    if (members.has(name)) throw new MalformedResponseError(`has more than one ${name}`);
    members.set(name, text.slice(valueStart, valueEnd));
  }
  return members;
}
