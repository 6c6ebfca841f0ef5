import { computeAddress, hexlify } from 'ethers';
import type { NetworkType } from '../../../chains/network-type';
import { getOrCreate } from '../../../common/get-or-create';
import type { Secret } from '../../../common/secrets/secret';
import type { DigestSignature } from '../../../chains/evm/digest-signature';
import { solanaAddress, stellarAddress } from './ed25519-account';
import { decodeHexKey } from './hex-key';
import type { Secp256k1Engine } from '../../secp256k1/secp256k1-engine';

/** A 32-byte key in the memory of this process: a secp256k1 key on EVM networks, an Ed25519 seed elsewhere. */
export class InMemoryKey {
  /** `alloc` does not use Node's shared pool for small buffers. */
  readonly #key = Buffer.alloc(32);
  readonly #engine: Secp256k1Engine;
  readonly #addresses = new Map<NetworkType, string>();
  #open = true;

  /**
   * @param privateKey 64 hex digits; not retained
   * @throws Error if it is not a valid secp256k1 key: the length is wrong, or the number is zero or not below the curve
   * order
   */
  constructor(privateKey: Secret, engine: Secp256k1Engine) {
    this.#engine = engine;
    try {
      if (!privateKey.use((digits) => decodeHexKey(digits, this.#key))) throw new Error('not 32 bytes');
      // Computing the public key validates the range.
      this.address('evm');
    } catch {
      this.destroy();
      // Thrown without a cause: libraries quote the input that they refuse.
      throw new Error('The private key is not a number between zero and the order of secp256k1');
    }
  }

  /** EIP-55, base58 or StrKey; see `SignerProvider.address`. */
  address(networkType: NetworkType): string {
    return getOrCreate(this.#addresses, networkType, () => this.derive(networkType));
  }

  /** Deterministic (RFC 6979), low s. @throws Error for a digest that is not 32 bytes */
  sign(digest: Uint8Array): DigestSignature {
    return this.#engine.signRecoverable(digest, this.openKey());
  }

  /** Overwrites the key; it cannot sign after that. */
  destroy(): void {
    this.#key.fill(0);
    this.#open = false;
  }

  private derive(networkType: NetworkType): string {
    switch (networkType) {
      case 'evm':
        return computeAddress(hexlify(this.#engine.publicKey(this.openKey())));
      case 'solana':
        return solanaAddress(this.openKey());
      case 'stellar':
        return stellarAddress(this.openKey());
    }
  }

  private openKey(): Buffer {
    if (!this.#open) throw new Error('The signer is not open');
    return this.#key;
  }
}
