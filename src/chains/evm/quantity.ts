import { MalformedResponseError } from '../rpc/json-rpc';

/** `0x` and up to 64 hex digits. */
export const HEX_QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;

/** Parses a text of the form {@link HEX_QUANTITY}; undefined for anything else. */
export function readQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && HEX_QUANTITY.test(value) ? BigInt(value) : undefined;
}

/** A number in the encoding of Ethereum JSON-RPC. */
export const toHex = (number: number | bigint): string => `0x${number.toString(16)}`;

/**
 * Parses a quantity in a node's response (Ethereum JSON-RPC).
 *
 * @param max the greatest value that the field can hold
 * @throws MalformedResponseError
 */
export function parseQuantity(value: unknown, max: bigint): bigint {
  const quantity = readQuantity(value);
  if (quantity === undefined || quantity > max) throw new MalformedResponseError('has no valid quantity');
  return quantity;
}

/** A number as 32 bytes: 64 hex digits without `0x`. */
export const hexWord = (value: bigint | number): string => value.toString(16).padStart(64, '0');
