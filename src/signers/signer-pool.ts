import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import type { SignerProvider } from './signer-provider';

const MAX_OPEN_SIGNERS = 10_000;

/** A provider in use, and the kind that made it. */
export interface OpenSigner {
  kind: string;
  provider: SignerProvider;
}

/** Keeps signers open between signatures, so that keys are decrypted and connections made once. */
@Injectable()
export class SignerPool implements OnApplicationShutdown {
  private readonly logger = new Logger(SignerPool.name);
  private readonly open = new Map<string, Promise<OpenSigner>>();

  /** A signer, opened; callers that come at once share one opening, and a failed one is not kept. */
  get(signerId: string, make: () => Promise<OpenSigner>): Promise<OpenSigner> {
    const known = this.open.get(signerId);
    if (known) return known;
    const opening = initialise(make);
    this.open.set(signerId, opening);
    opening.catch(() => {
      if (this.open.get(signerId) === opening) this.open.delete(signerId);
    });
    this.closeOldest();
    return opening;
  }

  /** Closes a signer; the next call opens it anew. */
  forget(signerId: string): void {
    const signer = this.open.get(signerId);
    this.open.delete(signerId);
    if (signer) void this.close(signer);
  }

  async onApplicationShutdown(): Promise<void> {
    const signers = [...this.open.values()];
    this.open.clear();
    await Promise.all(signers.map((signer) => this.close(signer)));
  }

  private closeOldest(): void {
    const oldest = this.open.keys().next();
    if (this.open.size > MAX_OPEN_SIGNERS && !oldest.done) this.forget(oldest.value);
  }

  private async close(signer: Promise<OpenSigner>): Promise<void> {
    try {
      await (await signer).provider.destroy();
    } catch (error) {
      this.logger.warn('A signer did not close cleanly', {
        cause: error instanceof Error ? error.name : typeof error,
      });
    }
  }
}

async function initialise(make: () => Promise<OpenSigner>): Promise<OpenSigner> {
  const signer = await make();
  await signer.provider.init();
  return signer;
}
