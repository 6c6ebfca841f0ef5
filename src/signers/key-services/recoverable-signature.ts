import { recoverAddress, toBeHex } from 'ethers';
import type { DigestSignature } from '../../chains/evm/digest-signature';
import { signerFailure } from '../signer-failure';

/** Order of secp256k1 (SEC 2 §2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Completes a signature of a key service, which tells r and s only: s is made low (EIP-2) and the recovery bit is
 * found by recovering.
 *
 * @throws SignerFailure `invalid_answer` for numbers out of range, and for a signature of any other key
 */
export function recoverableSignature(
  digest: Uint8Array,
  r: bigint,
  s: bigint,
  address: string,
): DigestSignature {
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER) throw signerFailure('invalid_answer');
  const low = s > ORDER / 2n ? ORDER - s : s;
  const signature = { r: toBeHex(r, 32), s: toBeHex(low, 32) };
  for (const v of [27, 28] as const) {
    if (recovers(digest, { ...signature, v }, address))
      return { r: signature.r.slice(2), s: signature.s.slice(2), v };
  }
  throw signerFailure('invalid_answer');
}

function recovers(
  digest: Uint8Array,
  signature: { r: string; s: string; v: 27 | 28 },
  address: string,
): boolean {
  try {
    return recoverAddress(digest, signature) === address;
  } catch {
    return false;
  }
}
