import { getOrCreate } from '../../../common/get-or-create';
import { parseSignedInteger } from '../../../common/validation/big-integer';
import { checksummed } from '../address';
import { keccak256Hex } from '../keccak256';

const HEX_BYTES = /^0x(?:[0-9a-fA-F]{2})*$/;

const WORD_DIGITS = 64;

/** A parsed value: integers as bigint, addresses in EIP-55. */
export type AtomicValue = string | boolean | bigint;

/**
 * The rule of an atomic type of EIP-712: a description of valid values, and their parser, which returns undefined for
 * invalid ones.
 */
interface AtomicRule {
  expected: string;
  parse: (value: unknown) => AtomicValue | undefined;
}

const rules = new Map<string, AtomicRule>();

/** Parses an atomic value; undefined if it is not of the type. */
export const parseAtomic = (type: string, value: unknown): AtomicValue | undefined =>
  ruleOf(type).parse(value);

/**
 * encodeData of an atomic value: 32 bytes as hex with `0x`.
 *
 * @param type one of the atomic types of EIP-712
 * @returns undefined if the value is not of the type
 */
export function encodeAtomic(type: string, value: unknown): string | undefined {
  const parsed = parseAtomic(type, value);
  return parsed === undefined ? undefined : encodeExact(type, parsed);
}

/** As {@link encodeAtomic}, for a value that is already parsed. */
export function encodeExact(type: string, value: AtomicValue): string {
  if (typeof value !== 'string') return integerWord(BigInt(value));
  if (type === 'string') return keccak256Hex(Buffer.from(value));
  if (type === 'bytes') return keccak256Hex(Buffer.from(value.slice(2), 'hex'));
  const digits = value.slice(2);
  return `0x${type === 'address' ? digits.padStart(WORD_DIGITS, '0') : digits.padEnd(WORD_DIGITS, '0')}`;
}

/** Two's complement, big-endian. */
const integerWord = (value: bigint): string =>
  `0x${BigInt.asUintN(256, value).toString(16).padStart(WORD_DIGITS, '0')}`;

/** Describes the valid values of a type: `a uint256: an integer from 0 to …`. */
export const describeAtomic = (type: string): string => ruleOf(type).expected;

/** What is wrong with a value that is not of the type, to follow its path: `must be a uint256: …`. */
export const atomicFault = (type: string, value: unknown): string =>
  type === 'string' && typeof value === 'string'
    ? 'holds an unpaired surrogate'
    : `must be ${describeAtomic(type)}`;

const ruleOf = (type: string): AtomicRule => getOrCreate(rules, type, () => createRule(type));

function createRule(type: string): AtomicRule {
  switch (type) {
    case 'string':
      return {
        expected: 'a string',
        // UTF-8 has no unpaired surrogates: the digest would be that of another text, with U+FFFD.
        parse: (value) => (typeof value === 'string' && value.isWellFormed() ? value : undefined),
      };
    case 'bool':
      return {
        expected: 'a bool: true or false',
        parse: (value) => (typeof value === 'boolean' ? value : undefined),
      };
    case 'address':
      return {
        expected: 'an address: 0x and 40 hex digits, with a valid checksum if the case is mixed',
        parse: checksummed,
      };
    case 'bytes':
      return {
        expected: 'bytes: 0x and an even number of hex digits',
        parse: (value) => (typeof value === 'string' && HEX_BYTES.test(value) ? value : undefined),
      };
  }
  const [, kind, size] = /^(bytes|int|uint)(\d+)$/.exec(type) ?? [];
  return kind === 'bytes' ? fixedBytes(type, Number(size)) : integer(type, kind === 'int', Number(size));
}

function fixedBytes(type: string, size: number): AtomicRule {
  return {
    expected: `a ${type}: 0x and ${2 * size} hex digits`,
    parse: (value) =>
      typeof value === 'string' && value.length === 2 + 2 * size && HEX_BYTES.test(value) ? value : undefined,
  };
}

function integer(type: string, isSigned: boolean, bits: number): AtomicRule {
  const [min, max] = isSigned
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n];
  const range = isSigned ? `-2^${bits - 1} to 2^${bits - 1}-1` : `0 to 2^${bits}-1`;
  return {
    expected: `${isSigned ? 'an' : 'a'} ${type}: an integer from ${range}, as a JSON integer, a decimal string or a 0x string`,
    parse: (value) => {
      const parsed = parseSignedInteger(value);
      return parsed !== undefined && parsed >= min && parsed <= max ? parsed : undefined;
    },
  };
}
