import type { DigestSignature } from '../../chains/evm/digest-signature';

/** `native`: libsecp256k1 as an addon of Node; `wasm`: the same library compiled to WebAssembly. */
export type EngineName = 'native' | 'wasm';

/**
 * The port to an implementation of ECDSA on secp256k1. It is a class so that it can be an injection token.
 *
 * Methods with a private key throw an Error if it is not 32 bytes or out of range. Its message does not contain the key.
 */
export abstract class Secp256k1Engine {
  abstract readonly name: EngineName;

  /** The public key of a 32-byte private key: SEC 1, uncompressed, 65 bytes. */
  abstract publicKey(privateKey: Uint8Array): Uint8Array;

  /**
   * Signs a 32-byte digest: deterministic (RFC 6979 with SHA-256), low s (EIP-2).
   *
   * @throws Error also for a digest that is not 32 bytes
   */
  abstract signRecoverable(digest: Uint8Array, privateKey: Uint8Array): DigestSignature;

  /**
   * The public key that a signature of a 32-byte digest is by: SEC 1, uncompressed, 65 bytes.
   *
   * @throws Error if there is none
   */
  abstract recover(digest: Uint8Array, signature: DigestSignature): Uint8Array;
}

/**
 * @param signature r ‖ s, 64 bytes
 * @throws Error if the recovery id is above 1: r was reduced, which `v` cannot express. The probability is 2^-127
 */
export function toDigestSignature(signature: Uint8Array, recoveryId: number): DigestSignature {
  if (recoveryId > 1) throw new Error('The signature has no v');
  const hex = Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength).toString('hex');
  return { r: hex.slice(0, 64), s: hex.slice(64), v: recoveryId === 0 ? 27 : 28 };
}

/** r ‖ s, 64 bytes, and the recovery id. */
export function fromDigestSignature({ r, s, v }: DigestSignature): {
  signature: Uint8Array;
  recoveryId: 0 | 1;
} {
  return { signature: Buffer.from(r + s, 'hex'), recoveryId: v === 27 ? 0 : 1 };
}
