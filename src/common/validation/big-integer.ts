import { validationRule } from './validation-rule';

/** An integer of any size in exact JSON: a number up to 2^53−1, a decimal string beyond that. */
export type JsonInteger = number | string;

export const UINT64_MAX = 2n ** 64n - 1n;
export const UINT128_MAX = 2n ** 128n - 1n;
export const UINT256_MAX = 2n ** 256n - 1n;
export const INT256_MIN = -(2n ** 255n);

const DECIMAL = /^(0|[1-9]\d*)$/;
const SIGNED_DECIMAL = /^(0|-?[1-9]\d{0,77})$/;
const HEX_INTEGER = /^0x[0-9a-fA-F]{1,64}$/;

/** A JSON integer or a decimal string, from 0 to `max`. */
export function IsBigInteger(max: bigint): PropertyDecorator {
  const isValid = (value: unknown) => {
    const integer = parseBigInteger(value);
    return integer !== undefined && integer <= max;
  };
  return validationRule(
    'isBigInteger',
    isValid,
    `$property must be a JSON integer or a decimal string from 0 to ${max.toString()}`,
  );
}

/** Undefined for anything but a safe non-negative integer or a decimal string of at most 78 digits. */
export function parseBigInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'string' && value.length <= 78 && DECIMAL.test(value) ? BigInt(value) : undefined;
}

/**
 * Parses an integer of either sign: a JSON integer, a decimal string, or `0x` and up to 64 hex digits; undefined for
 * anything else.
 */
export function parseSignedInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && (SIGNED_DECIMAL.test(value) || HEX_INTEGER.test(value))
    ? BigInt(value)
    : undefined;
}

export function toJsonInteger(value: bigint): JsonInteger {
  const isSafe = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
  return isSafe ? Number(value) : value.toString();
}

export const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
