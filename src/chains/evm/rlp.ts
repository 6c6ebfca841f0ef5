/** A byte string, or a list of items. */
export type RlpItem = Buffer | readonly RlpItem[];

/** How deep lists may nest: a transaction has four levels (transaction, access list, entry, storage keys). */
const MAX_DEPTH = 4;
/** How many items are decoded: 128 KiB of a transaction hold at most 8000, but of single bytes 131 072. */
const MAX_ITEMS = 10_000;

/**
 * Recursive length prefix (Ethereum yellow paper, appendix B). The cost is linear in the number of bytes, whatever
 * their structure: for an access list of 128 KiB, ethers' encoder takes a hundred times as long.
 */
export function encodeRlp(item: RlpItem): Buffer {
  if (!Buffer.isBuffer(item)) return withHead(0xc0, Buffer.concat(item.map(encodeRlp)));
  return item.length === 1 && item.readUInt8() < 0x80 ? item : withHead(0x80, item);
}

/**
 * Decodes one item; undefined if the bytes end early, have trailing data, nest too deep, or have more items than any
 * transaction. Lengths longer than necessary are accepted: the encoding is canonical if {@link encodeRlp} returns the
 * same bytes.
 */
export function decodeRlp(bytes: Buffer): RlpItem | undefined {
  const decoded = decodeAt(bytes, 0, { depth: MAX_DEPTH, items: { left: MAX_ITEMS } });
  return decoded?.end === bytes.length ? decoded.item : undefined;
}

function withHead(offset: number, payload: Buffer): Buffer {
  if (payload.length <= 55) return Buffer.concat([Buffer.of(offset + payload.length), payload]);
  const length = integerBytes(BigInt(payload.length));
  return Buffer.concat([Buffer.of(offset + 55 + length.length), length, payload]);
}

/** Big-endian without leading zeros; empty for 0. */
export function integerBytes(value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0);
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

/** The RLP of fields with the type of the transaction in front (EIP-2718); a legacy one, of type 0, has none. */
export function encodeTyped(type: number, fields: readonly RlpItem[]): Buffer {
  const list = encodeRlp(fields);
  return type === 0 ? list : Buffer.concat([Buffer.of(type), list]);
}

interface Decoded {
  item: RlpItem;
  end: number;
}

interface Limits {
  depth: number;
  items: { left: number };
}

function decodeAt(bytes: Buffer, start: number, limits: Limits): Decoded | undefined {
  const first = bytes[start];
  limits.items.left -= 1;
  if (first === undefined || limits.items.left < 0) return undefined;
  if (first < 0x80) return { item: bytes.subarray(start, start + 1), end: start + 1 };
  const isList = first >= 0xc0;
  const head = first - (isList ? 0xc0 : 0x80);
  const lengthBytes = Math.max(0, head - 55);
  const from = start + 1 + lengthBytes;
  // Four length bytes already allow 4 GiB.
  if (lengthBytes > 4 || from > bytes.length) return undefined;
  const end = from + (lengthBytes === 0 ? head : bytes.readUIntBE(start + 1, lengthBytes));
  if (end > bytes.length) return undefined;
  return isList ? decodeList(bytes.subarray(0, end), from, limits) : { item: bytes.subarray(from, end), end };
}

function decodeList(bytes: Buffer, from: number, { depth, items: budget }: Limits): Decoded | undefined {
  if (depth === 0) return undefined;
  const items: RlpItem[] = [];
  let at = from;
  while (at < bytes.length) {
    const decoded = decodeAt(bytes, at, { depth: depth - 1, items: budget });
    if (!decoded) return undefined;
    items.push(decoded.item);
    at = decoded.end;
  }
  return { item: items, end: at };
}
