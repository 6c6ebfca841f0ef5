import { getAddress } from 'ethers';
import { MAX_S } from '../chains/evm/curve-order';
import type { DigestSignature } from '../chains/evm/digest-signature';
import { keccak256Hex } from '../chains/evm/keccak256';
import type { Secp256k1Engine } from './secp256k1/secp256k1-engine';
import { signerFailure } from './signer-failure';

const NUMBER = /^[0-9a-f]{64}$/;
const HEX_DIGITS_OF_ADDRESS = 40;

/**
 * Checks what the holder of a key has returned before anything relies on it: a rotated slot or a wrong version of a key
 * signs just as well, but for another account.
 *
 * @returns the signature
 * @throws SignerFailure `invalid_response` if it is malformed, or not by the key of the EVM address (EIP-55)
 */
export function checkedSignature(
  engine: Secp256k1Engine,
  digest: Uint8Array,
  signature: DigestSignature,
  address: string,
): DigestSignature {
  if (!isWellFormed(signature)) throw signerFailure('invalid_response', new Error('Not a signature'));
  if (addressOfSigner(engine, digest, signature) !== address)
    throw signerFailure('invalid_response', new Error('The signature is by another key'));
  return signature;
}

/** Providers of plugins may return anything. */
function isWellFormed(signature: unknown): boolean {
  const { r, s, v } = (signature ?? {}) as Record<keyof DigestSignature, unknown>;
  const areNumbers = [r, s].every((number) => typeof number === 'string' && NUMBER.test(number));
  return areNumbers && BigInt(`0x${s as string}`) <= MAX_S && (v === 27 || v === 28);
}

/** EIP-55; undefined if the signature is by no key. */
function addressOfSigner(
  engine: Secp256k1Engine,
  digest: Uint8Array,
  signature: DigestSignature,
): string | undefined {
  try {
    const publicKey = engine.recover(digest, signature);
    return getAddress(`0x${keccak256Hex(publicKey.subarray(1)).slice(-HEX_DIGITS_OF_ADDRESS)}`);
  } catch {
    return undefined;
  }
}
