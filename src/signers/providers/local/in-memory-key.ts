import { computeAddress, getBytes, SigningKey } from 'ethers';
import type { NetworkType } from '../../../common/networks/network-type';
import type { Secret } from '../../../common/secrets/secret';
import type { DigestSignature } from '../../signer-provider';
import { solanaAddress, stellarAddress } from './ed25519-account';

/** A 32-byte key that this process holds: a secp256k1 key on EVM networks, an Ed25519 seed elsewhere. */
export class InMemoryKey {
  readonly #key: SigningKey;
  readonly #addresses = new Map<NetworkType, string>();

  /**
   * @param privateKey 64 hex digits
   * @throws Error when it is no secp256k1 key: another length, zero, or the order of the curve and above
   */
  constructor(privateKey: Secret) {
    try {
      this.#key = new SigningKey(`0x${privateKey.reveal()}`);
      // The range shows only when the public key is computed.
      this.#addresses.set('evm', computeAddress(this.#key));
    } catch {
      // Not as the cause: libraries quote what they refuse.
      throw new Error('The private key is not a number between zero and the order of secp256k1');
    }
  }

  /** EIP-55, base58 or StrKey; see `SignerProvider.address`. */
  address(networkType: NetworkType): string {
    let address = this.#addresses.get(networkType);
    if (address === undefined) {
      address = this.derive(networkType);
      this.#addresses.set(networkType, address);
    }
    return address;
  }

  /** Deterministic (RFC 6979), low s. */
  sign(digest: Uint8Array): DigestSignature {
    const { r, s, v } = this.#key.sign(digest);
    return { r: r.slice(2), s: s.slice(2), v };
  }

  private derive(networkType: NetworkType): string {
    switch (networkType) {
      case 'evm':
        return computeAddress(this.#key);
      case 'solana':
        return solanaAddress(getBytes(this.#key.privateKey));
      case 'stellar':
        return stellarAddress(getBytes(this.#key.privateKey));
    }
  }
}
