import {
  isInnerList,
  type Item,
  type InnerList,
  parseDictionary,
  serializeInnerList,
} from 'structured-headers';

/** A parenthesised list with its parameters (RFC 8941, 3.1.1). */
export interface ParameterizedList {
  /** The strings, which have no parameters; undefined if any item is something else. */
  strings: readonly string[] | undefined;
  parameters: ReadonlyMap<string, unknown>;
  /** The canonical serialisation. */
  serialized: string;
}

/** A member of a dictionary; undefined if it is of neither of the two kinds that signatures use. */
type Member = Uint8Array | ParameterizedList | undefined;

/** Characters of each of `Signature-Input`, `Signature` and `Content-Digest`; more is 401. @limit Connections and requests */
const MAX_LENGTH = 2048;

/** Parses a dictionary (RFC 8941, 3.2) of at most 2048 characters; undefined for anything else. */
export function readDictionary(text: string): Map<string, Member> | undefined {
  // Anybody can send such a header, and parsing 16 KiB takes milliseconds.
  if (text.length > MAX_LENGTH) return undefined;
  try {
    return new Map([...parseDictionary(text)].map(([name, member]) => [name, toMember(member)]));
  } catch {
    return undefined;
  }
}

function toMember(member: Item | InnerList): Member {
  if (isInnerList(member)) return toList(member);
  const value: unknown = member[0];
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}

function toList(list: InnerList): ParameterizedList {
  const [items, parameters] = list as unknown as [[unknown, Map<string, unknown>][], Map<string, unknown>];
  const strings = items.flatMap(([value, own]) =>
    typeof value === 'string' && own.size === 0 ? [value] : [],
  );
  return {
    strings: strings.length === items.length ? strings : undefined,
    parameters,
    serialized: serializeInnerList(list),
  };
}
