import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

/** An integer of any size as JSON carries it exactly: a number up to 2^53−1, a decimal string beyond. */
export type JsonInteger = number | string;

export const UINT64_MAX = 2n ** 64n - 1n;
export const UINT128_MAX = 2n ** 128n - 1n;

const DECIMAL = /^(0|[1-9]\d*)$/;

/** A JSON integer or a decimal string, from 0 to `max`. */
export function IsBigInteger(max: bigint, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isBigInteger',
      validator: {
        validate: (value: unknown) => {
          const integer = parseBigInteger(value);
          return integer !== undefined && integer <= max;
        },
        defaultMessage: buildMessage(
          (each) => `${each}$property must be a JSON integer or a decimal string from 0 to ${max.toString()}`,
          options,
        ),
      },
    },
    options,
  );
}

/** Undefined for anything but a safe non-negative integer or a decimal string of at most 78 digits. */
export function parseBigInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'string' && value.length <= 78 && DECIMAL.test(value) ? BigInt(value) : undefined;
}

export function toJsonInteger(value: bigint): JsonInteger {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
}
