import type { NetworkType } from '../../../chains/network-type';
import type { DigestSignature } from '../../../chains/evm/digest-signature';
import type { SignerProvider } from '../../signer-provider';
import type { InMemoryKey } from './in-memory-key';

/** A signer whose key is in memory while it is open. */
export abstract class InMemorySignerProvider implements SignerProvider {
  readonly isRemote = false;
  protected key: InMemoryKey | undefined;

  /** Sets the key. */
  abstract init(): Promise<void>;

  async address(networkType: NetworkType): Promise<string> {
    return Promise.resolve(this.openKey().address(networkType));
  }

  /** Deterministic (RFC 6979), low s; makes no request. */
  async signDigest(digest: Uint8Array): Promise<DigestSignature> {
    return Promise.resolve(this.openKey().sign(digest));
  }

  destroy(): Promise<void> {
    this.key?.destroy();
    this.key = undefined;
    return Promise.resolve();
  }

  private openKey(): InMemoryKey {
    if (!this.key) throw new Error('The signer is not open');
    return this.key;
  }
}
