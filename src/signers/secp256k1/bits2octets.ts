/** Order of secp256k1 (SEC 2 §2.4.1). */
const ORDER_HEX = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const ORDER = Buffer.from(ORDER_HEX, 'hex');

/**
 * A 32-byte digest modulo the order (RFC 6979 §2.3.4). The standard derives the nonce from this number, libsecp256k1
 * from what it is given; what is signed is the same number either way.
 */
export function bits2octets(digest: Uint8Array): Uint8Array {
  // A digest of another length is for the library to refuse.
  if (digest.length !== 32 || Buffer.compare(digest, ORDER) < 0) return digest;
  const reduced = BigInt(`0x${Buffer.from(digest).toString('hex')}`) - BigInt(`0x${ORDER_HEX}`);
  return Buffer.from(reduced.toString(16).padStart(64, '0'), 'hex');
}
