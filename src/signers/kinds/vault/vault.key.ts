import { Secret } from '../../../common/secrets/secret';
import { hexValueOf } from '../../../common/validation/hex-digit';
import { isObject } from '../../../common/validation/json-object';

const DIGITS = 64;
const QUOTE = 0x22;
const MASKED = /^(?:0x)?(\d{64})$/;

/**
 * Extracts the private key from a KV version 2 secret: the field `data.data.value`, 64 hex digits with or without `0x`.
 *
 * A JSON parser would create a string from the key. So every string of 64 hex digits is first cut out of the bytes and
 * replaced by a number; parsing the rest then only determines which of them is the field.
 *
 * @param body overwritten with zeros
 * @returns undefined if the field is anything else
 * @throws SyntaxError if the body is not JSON
 */
export function takeKey(body: Buffer): Secret | undefined {
  const candidates = takeHexStrings(body);
  try {
    const value = member(member(member(JSON.parse(body.toString('utf8')), 'data'), 'data'), 'value');
    const number = typeof value === 'string' ? MASKED.exec(value)?.[1] : undefined;
    const key = number === undefined ? undefined : candidates[Number(number)];
    return key && new Secret(Buffer.from(key));
  } finally {
    body.fill(0);
    for (const candidate of candidates) candidate.fill(0);
  }
}

/** Replaces each string of hex digits by its number. @returns the digits, in separate buffers */
function takeHexStrings(json: Buffer): Buffer[] {
  const taken: Buffer[] = [];
  for (let at = json.indexOf(QUOTE); at >= 0; at = json.indexOf(QUOTE, at + 1)) {
    const start = at + (isPrefixed(json, at + 1) ? 3 : 1);
    const end = start + DIGITS;
    if (json[end] !== QUOTE || !isHex(json, start, end)) continue;
    const digits = Buffer.alloc(DIGITS);
    json.copy(digits, 0, start, end);
    json.write(String(taken.length).padStart(DIGITS, '0'), start, 'latin1');
    taken.push(digits);
    at = end;
  }
  return taken;
}

const isPrefixed = (json: Buffer, at: number): boolean => json[at] === 0x30 && json[at + 1] === 0x78;

function isHex(json: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (hexValueOf(json[at] ?? 0) < 0) return false;
  return true;
}

/** A member of a JSON object; undefined for any other value. */
export const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
