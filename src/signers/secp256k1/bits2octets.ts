import { CURVE_ORDER } from '../../chains/evm/curve-order';

const ORDER = Buffer.from(CURVE_ORDER.toString(16), 'hex');

/**
 * A 32-byte digest modulo the curve order (RFC 6979 §2.3.4). The RFC derives the nonce from the reduced number, but
 * libsecp256k1 from the digest it is given. The signed number is the same either way.
 */
export function bits2octets(digest: Uint8Array): Uint8Array {
  // The library refuses digests of other lengths.
  if (digest.length !== 32 || Buffer.compare(digest, ORDER) < 0) return digest;
  const reduced = BigInt(`0x${Buffer.from(digest).toString('hex')}`) - CURVE_ORDER;
  return Buffer.from(reduced.toString(16).padStart(64, '0'), 'hex');
}
