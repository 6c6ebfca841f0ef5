import type { Lookup } from './lookup';

/** A lookup that fails after so long has waited for name servers that do not answer. */
const HUNG_MS = 3_000;
const REST_MS = 10_000;
const MAX_HUNG = 1_000;

/**
 * Lookups that take a thread each, of the few that the process has for such work: names whose servers do not answer must not
 * hold them all. Callers that ask for the same name at once share one lookup. A name that hung is left alone for ten
 * seconds, and then tried when no other such name is.
 */
export class SharedLookups {
  private readonly underWay = new Map<string, Promise<string[]>>();
  /** Names that hung when they were last looked up, and until when they rest. */
  private readonly hung = new Map<string, number>();
  private retried: string | undefined;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly resolve: Lookup,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws Error where the name has no address, or rests */
  find(hostname: string): Promise<string[]> {
    const shared = this.underWay.get(hostname);
    if (shared) return shared;
    const restsUntil = this.hung.get(hostname);
    if (restsUntil !== undefined) {
      if (this.retried !== undefined || this.now() < restsUntil)
        return Promise.reject(new Error('The name servers did not answer a moment ago'));
      this.retried = hostname;
    }
    const started = this.look(hostname).finally(() => {
      this.underWay.delete(hostname);
      if (this.retried === hostname) this.retried = undefined;
    });
    this.underWay.set(hostname, started);
    return started;
  }

  private async look(hostname: string): Promise<string[]> {
    const startedAt = this.now();
    try {
      const addresses = await this.resolve(hostname);
      this.hung.delete(hostname);
      return addresses;
    } catch (error) {
      this.hung.delete(hostname);
      if (this.now() - startedAt >= HUNG_MS) this.remember(hostname);
      throw error;
    }
  }

  private remember(hostname: string): void {
    this.hung.set(hostname, this.now() + REST_MS);
    const [oldest] = this.hung.keys();
    if (this.hung.size > MAX_HUNG && oldest !== undefined) this.hung.delete(oldest);
  }
}
