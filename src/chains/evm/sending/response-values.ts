import { isObject } from '../../../common/validation/json-object';
import { MalformedResponseError } from '../../rpc/json-rpc';
import { parseQuantity } from '../quantity';

const HASH = /^0x[0-9a-fA-F]{64}$/;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Parses a quantity up to 2^53−1, such as a block number or a timestamp in seconds. @throws MalformedResponseError */
export function parseSafeInteger(value: unknown): number {
  return Number(parseQuantity(value, MAX_SAFE));
}

/** Parses 32 bytes: `0x` and 64 hex digits. Returns them in lower case. @throws MalformedResponseError */
export function parseHash(value: unknown): string {
  if (typeof value !== 'string' || !HASH.test(value)) throw new MalformedResponseError('has no valid hash');
  return value.toLowerCase();
}

/** Parses an object with any members. @throws MalformedResponseError */
export function parseObject(value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new MalformedResponseError('has no object as its result');
  return value;
}

/** Parses a list of at most `maxItems` items. @throws MalformedResponseError */
export function parseList(value: unknown, maxItems: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > maxItems)
    throw new MalformedResponseError(`has no list of at most ${maxItems} items`);
  return value;
}

/** Parses `0x` and an even number of hex digits. Returns them in lower case. @throws MalformedResponseError */
export function parseBytes(value: unknown): string {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !/^0x[0-9a-fA-F]*$/.test(value))
    throw new MalformedResponseError('has no bytes');
  return value.toLowerCase();
}

/** Nodes either omit a member or return null. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null;
