import type { NetworkType } from '../../chains/network-type';
import type { SignerProvider } from '../signer-provider';

/** A signer in use. It is closed once; its provider is destroyed when all work in progress has ended. */
export class OpenSigner {
  /** The provider's addresses by type of network. They can be cached because the key never changes. */
  readonly #addresses = new Map<NetworkType, string>();
  #lastUsedAt = performance.now();
  #uses = 0;
  #closing: Promise<void> | undefined;
  #onUnused: (() => void) | undefined;

  /**
   * @param provider initialised
   * @param createdAt the creation time of the row that it was opened from. It differs if the signer was deleted and
   * created again.
   */
  constructor(
    readonly kind: string,
    readonly provider: SignerProvider,
    readonly createdAt: Date,
  ) {}

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** Milliseconds since its last use; 0 while it is in use. */
  get idleMs(): number {
    return this.#uses > 0 ? 0 : performance.now() - this.#lastUsedAt;
  }

  /** The address on a type of network, if the provider has already been queried for it. */
  knownAddress(networkType: NetworkType): string | undefined {
    return this.#addresses.get(networkType);
  }

  async address(networkType: NetworkType): Promise<string> {
    const address = await this.provider.address(networkType);
    this.#addresses.set(networkType, address);
    return address;
  }

  /** Marks the signer as used. */
  touch(): void {
    this.#lastUsedAt = performance.now();
  }

  /** Runs `work` and keeps the provider alive meanwhile. @throws Error after {@link close} */
  async use<T>(work: (provider: SignerProvider) => Promise<T>): Promise<T> {
    if (this.#closing) throw new Error('The signer was closed');
    this.#uses += 1;
    try {
      return await work(this.provider);
    } finally {
      this.#uses -= 1;
      this.touch();
      if (this.#uses === 0) this.#onUnused?.();
    }
  }

  /** Refuses further work. Resolves when the work in progress has ended and the provider is destroyed. */
  close(): Promise<void> {
    this.#closing ??= this.unused().then(() => this.provider.destroy());
    return this.#closing;
  }

  private unused(): Promise<void> {
    if (this.#uses === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onUnused = resolve;
    });
  }
}
