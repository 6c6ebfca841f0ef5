import { computeAddress, getBytes, SigningKey } from 'ethers';
import type { NetworkType } from '../../../common/networks/network-type';
import type { Secret } from '../../../common/secrets/secret';
import type { DigestSignature, SignerProvider } from '../../signer-provider';
import { solanaAddress, stellarAddress } from './ed25519-account';

const KEY = /^[0-9a-fA-F]{64}$/;

/** Holds a 32-byte key in memory: a secp256k1 key on EVM networks, an Ed25519 seed elsewhere. */
export class LocalSignerProvider implements SignerProvider {
  private key: SigningKey | undefined;
  private readonly addresses = new Map<NetworkType, string>();

  /** @param secret the key as 64 hex digits */
  constructor(private readonly secret: Secret) {}

  init(): Promise<void> {
    const hex = this.secret.reveal();
    // ethers would repeat in its error what it cannot read.
    if (!KEY.test(hex)) return Promise.reject(new Error('The key of a local signer must be 64 hex digits'));
    this.key = new SigningKey(`0x${hex}`);
    return Promise.resolve();
  }

  address(networkType: NetworkType): Promise<string> {
    let address = this.addresses.get(networkType);
    if (address === undefined) {
      address = this.derive(networkType);
      this.addresses.set(networkType, address);
    }
    return Promise.resolve(address);
  }

  /** Deterministic (RFC 6979), low s. */
  async signDigest(digest: Uint8Array): Promise<DigestSignature> {
    const { r, s, v } = this.openKey().sign(digest);
    return Promise.resolve({ r: r.slice(2), s: s.slice(2), v });
  }

  destroy(): Promise<void> {
    this.key = undefined;
    return Promise.resolve();
  }

  private derive(networkType: NetworkType): string {
    const key = this.openKey();
    switch (networkType) {
      case 'evm':
        return computeAddress(key);
      case 'solana':
        return solanaAddress(getBytes(key.privateKey));
      case 'stellar':
        return stellarAddress(getBytes(key.privateKey));
    }
  }

  private openKey(): SigningKey {
    if (!this.key) throw new Error('The signer is not open');
    return this.key;
  }
}
