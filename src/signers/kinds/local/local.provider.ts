import type { Secret } from '../../../common/secrets/secret';
import { InMemorySignerProvider } from './in-memory.provider';
import { InMemoryKey } from './in-memory-key';
import type { Secp256k1Engine } from '../../secp256k1/secp256k1-engine';

/** Holds a key in memory. */
export class LocalSignerProvider extends InMemorySignerProvider {
  /** @param secret the key as 64 hex digits; the caller owns it and must keep it until {@link init} has ended */
  constructor(
    private secret: Secret | undefined,
    private readonly engine: Secp256k1Engine,
  ) {
    super();
  }

  async init(): Promise<void> {
    if (!this.secret) throw new Error('The signer was open before');
    this.key = new InMemoryKey(this.secret, this.engine);
    this.secret = undefined;
    return Promise.resolve();
  }

  override destroy(): Promise<void> {
    this.secret = undefined;
    return super.destroy();
  }
}
