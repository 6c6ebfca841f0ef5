import { MalformedResponseError } from '../rpc/json-rpc';

const HEX = /^0x[0-9a-f]{1,64}$/i;

/**
 * A quantity as nodes write it: 0x and hex digits (Ethereum JSON-RPC).
 *
 * @param max the greatest that the field can hold
 * @throws MalformedResponseError
 */
export function parseQuantity(value: unknown, max: bigint): bigint {
  const quantity = typeof value === 'string' && HEX.test(value) ? BigInt(value) : undefined;
  if (quantity === undefined || quantity > max) throw new MalformedResponseError('has no valid quantity');
  return quantity;
}
