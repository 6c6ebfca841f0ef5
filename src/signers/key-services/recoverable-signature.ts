import { recoverAddress, toBeHex } from 'ethers';
import { CURVE_ORDER, MAX_S } from '../../chains/evm/curve-order';
import type { DigestSignature } from '../../chains/evm/digest-signature';
import { signerFailure } from '../signer-failure';

/**
 * Completes a key service's signature, which has only r and s: normalizes s to the lower half (EIP-2), and finds the
 * recovery id by recovering the address.
 *
 * @throws SignerFailure `invalid_response` if a number is out of range, or the signature is by another key
 */
export function recoverableSignature(
  digest: Uint8Array,
  r: bigint,
  s: bigint,
  address: string,
): DigestSignature {
  if (r <= 0n || r >= CURVE_ORDER || s <= 0n || s >= CURVE_ORDER) throw signerFailure('invalid_response');
  const low = s > MAX_S ? CURVE_ORDER - s : s;
  const signature = { r: toBeHex(r, 32), s: toBeHex(low, 32) };
  for (const v of [27, 28] as const) {
    if (recovers(digest, { ...signature, v }, address))
      return { r: signature.r.slice(2), s: signature.s.slice(2), v };
  }
  throw signerFailure('invalid_response');
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
