import { hexValueOf } from '../../../common/validation/hex-digit';

const KEY_BYTES = 32;

/**
 * Decodes a private key of 64 hex digits in either case, given as ASCII bytes. A string would stay in memory.
 *
 * @param target 32 bytes
 * @returns whether the digits are valid; otherwise the content of the target is undefined
 */
export function decodeHexKey(digits: Uint8Array, target: Uint8Array): boolean {
  if (digits.length !== 2 * KEY_BYTES) return false;
  for (let i = 0; i < KEY_BYTES; i += 1) {
    const high = hexValueOf(digits[2 * i] ?? 0);
    const low = hexValueOf(digits[2 * i + 1] ?? 0);
    if (high < 0 || low < 0) return false;
    target[i] = 16 * high + low;
  }
  return true;
}

/** Encodes a private key as 64 lower-case hex digits, as ASCII bytes in a separate buffer. */
export function encodeHexKey(key: Uint8Array): Buffer {
  const digits = Buffer.alloc(2 * key.length);
  key.forEach((byte, i) => {
    digits[2 * i] = digitOf(byte >> 4);
    digits[2 * i + 1] = digitOf(byte & 15);
  });
  return digits;
}

const digitOf = (value: number): number => (value < 10 ? 0x30 : 0x57) + value;
