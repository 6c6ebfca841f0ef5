import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import type { OpenSigner } from './open-signer';
import { SignerMetrics } from '../signer.metrics';

/**
 * Signers that a process holds open; the one used longest ago is closed for a new one.
 * @limit Signers and key services
 */
const MAX_OPEN_SIGNERS = 10_000;

interface Entry {
  opening: Promise<OpenSigner>;
  /** Set once the signer is open. */
  signer?: OpenSigner;
}

/** Keeps signers open between signatures, so that keys are decrypted and connections are opened only once. */
@Injectable()
export class SignerPool implements OnApplicationShutdown {
  private readonly logger = new Logger(SignerPool.name);
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly metrics: SignerMetrics) {}

  /**
   * Returns the open signer. Concurrent callers share one opening; after a failure, the next call retries it.
   *
   * @param open opens the signer and initialises its provider
   */
  get(signerId: string, open: () => Promise<OpenSigner>): Promise<OpenSigner> {
    const known = this.use(signerId);
    if (known) return known.opening;
    const entry: Entry = { opening: this.openSigner(open) };
    this.entries.set(signerId, entry);
    entry.opening.then(
      (signer) => {
        entry.signer = signer;
      },
      () => {
        if (this.entries.get(signerId) === entry) this.entries.delete(signerId);
      },
    );
    this.closeOldest();
    return entry.opening;
  }

  /** The signer, if it is open. Counts as a use. */
  find(signerId: string): OpenSigner | undefined {
    return this.use(signerId)?.signer;
  }

  /** Closes a signer; the next call opens it again. */
  forget(signerId: string): void {
    const entry = this.entries.get(signerId);
    this.entries.delete(signerId);
    if (entry) void this.close(entry.opening);
  }

  /** The signers that are open, excluding those that are still being opened. */
  get open(): [signerId: string, signer: OpenSigner][] {
    return [...this.entries].flatMap(([id, { signer }]) => (signer ? [[id, signer]] : []));
  }

  /** Like {@link forget}, unless the signer was reopened meanwhile. */
  forgetOnly(signerId: string, signer: OpenSigner): void {
    if (this.entries.get(signerId)?.signer === signer) this.forget(signerId);
  }

  async onApplicationShutdown(): Promise<void> {
    const entries = [...this.entries.values()];
    this.entries.clear();
    await Promise.all(entries.map(({ opening }) => this.close(opening)));
  }

  private use(signerId: string): Entry | undefined {
    const entry = this.entries.get(signerId);
    if (!entry) return undefined;
    entry.signer?.touch();
    // Keeps the map in order of last use.
    this.entries.delete(signerId);
    this.entries.set(signerId, entry);
    return entry;
  }

  private async openSigner(open: () => Promise<OpenSigner>): Promise<OpenSigner> {
    const signer = await open();
    this.metrics.countOpen(signer.kind, 1);
    return signer;
  }

  private closeOldest(): void {
    const oldest = this.entries.keys().next();
    if (this.entries.size > MAX_OPEN_SIGNERS && !oldest.done) this.forget(oldest.value);
  }

  private async close(opening: Promise<OpenSigner>): Promise<void> {
    const signer = await opening.catch(() => undefined);
    if (!signer) return;
    try {
      await signer.close();
    } catch (error) {
      this.logger.warn('A signer did not close cleanly', {
        cause: error instanceof Error ? error.name : typeof error,
      });
    } finally {
      this.metrics.countOpen(signer.kind, -1);
    }
  }
}
