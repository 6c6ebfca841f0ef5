import type { NetworkType } from '../../../chains/network-type';
import type { Secret } from '../../../common/secrets/secret';
import type { DigestSignature } from '../../../chains/evm/digest-signature';
import type { SignerProvider } from '../../signer-provider';
import { InMemoryKey } from './in-memory-key';
import type { Secp256k1Engine } from '../../secp256k1/secp256k1-engine';

/** Holds a key in memory. */
export class LocalSignerProvider implements SignerProvider {
  readonly isRemote = false;
  private key: InMemoryKey | undefined;

  /** @param secret the key as 64 hex digits; the caller owns it and must keep it until {@link init} has ended */
  constructor(
    private secret: Secret | undefined,
    private readonly engine: Secp256k1Engine,
  ) {}

  async init(): Promise<void> {
    if (!this.secret) throw new Error('The signer was open before');
    this.key = new InMemoryKey(this.secret, this.engine);
    this.secret = undefined;
    return Promise.resolve();
  }

  address(networkType: NetworkType): Promise<string> {
    return new Promise((resolve) => {
      resolve(this.openKey().address(networkType));
    });
  }

  /** Deterministic (RFC 6979), low s. */
  signDigest(digest: Uint8Array): Promise<DigestSignature> {
    return new Promise((resolve) => {
      resolve(this.openKey().sign(digest));
    });
  }

  destroy(): Promise<void> {
    this.key?.destroy();
    this.key = undefined;
    this.secret = undefined;
    return Promise.resolve();
  }

  private openKey(): InMemoryKey {
    if (!this.key) throw new Error('The signer is not open');
    return this.key;
  }
}
