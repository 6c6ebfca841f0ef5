import type { Lookup } from './lookup';

/** A lookup that fails after so long has waited for name servers that do not answer. */
const HUNG_MS = 3_000;
const REST_MS = 10_000;
const MAX_HUNG = 1_000;

/**
 * Lookups that take a thread each, of the few that the process has for such work: names whose servers do not answer must not
 * hold them all. Callers that ask for the same name at once share one lookup. A name that hung is left alone for ten
 * seconds; then such names are tried one at a time, in the order in which they were asked for.
 */
export class SharedLookups {
  private readonly underWay = new Map<string, Promise<string[]>>();
  /** Names that hung when they were last looked up, and until when they rest. */
  private readonly hung = new Map<string, number>();
  /** Those of them that were asked for while another one was tried. */
  private readonly waiting = new Set<string>();
  private isRetrying = false;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly resolve: Lookup,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws Error where the name has no address, rests, or waits */
  find(hostname: string): Promise<string[]> {
    const shared = this.underWay.get(hostname);
    if (shared) return shared;
    const restsUntil = this.hung.get(hostname);
    if (restsUntil === undefined) return this.begin(hostname);
    const hasRested = this.now() >= restsUntil;
    if (hasRested && !this.isRetrying) return this.retry(hostname);
    if (hasRested) this.waiting.add(hostname);
    return Promise.reject(new Error('The name servers did not answer a moment ago'));
  }

  private begin(hostname: string): Promise<string[]> {
    const started = this.look(hostname).finally(() => this.underWay.delete(hostname));
    this.underWay.set(hostname, started);
    return started;
  }

  private retry(hostname: string): Promise<string[]> {
    this.isRetrying = true;
    return this.begin(hostname).finally(() => {
      this.isRetrying = false;
      this.retryNext();
    });
  }

  /** Nobody needs to ask again: whoever asks most often would else be the only one whose turn comes. */
  private retryNext(): void {
    const [next] = this.waiting;
    if (next === undefined) return;
    this.waiting.delete(next);
    this.retry(next).catch(() => undefined);
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
    if (this.hung.size <= MAX_HUNG || oldest === undefined) return;
    this.hung.delete(oldest);
    this.waiting.delete(oldest);
  }
}
