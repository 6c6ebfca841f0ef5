import type { Lookup } from './lookup';

/** A lookup that fails after this time has waited for name servers that do not respond. */
const HUNG_MS = 3_000;
const REST_MS = 10_000;
const MAX_HUNG = 1_000;

/**
 * Prevents hanging lookups from occupying all of libuv's few threads. Concurrent calls for the same name share one
 * lookup. A name whose lookup hung is not retried for ten seconds; after that, such names are retried one at a time, in
 * the order in which they were requested.
 */
export class SharedLookups {
  private readonly underWay = new Map<string, Promise<string[]>>();
  /** Names whose last lookup hung, and the time of their next retry. */
  private readonly hung = new Map<string, number>();
  /** Names that were requested while another one was being retried. */
  private readonly waiting = new Set<string>();
  private isRetrying = false;

  /** @param now monotonic clock, in milliseconds */
  constructor(
    private readonly resolve: Lookup,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws Error if the name has no address, or its retry is not due yet */
  find(hostname: string): Promise<string[]> {
    const shared = this.underWay.get(hostname);
    if (shared) return shared;
    const retryAt = this.hung.get(hostname);
    if (retryAt === undefined) return this.begin(hostname);
    const isDue = this.now() >= retryAt;
    if (isDue && !this.isRetrying) return this.retry(hostname);
    if (isDue) this.waiting.add(hostname);
    return Promise.reject(new Error('The name servers did not respond a moment ago'));
  }

  private begin(hostname: string): Promise<string[]> {
    const started = this.lookUp(hostname).finally(() => this.underWay.delete(hostname));
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

  /** Does not wait for another call: otherwise the most frequently requested name would get every turn. */
  private retryNext(): void {
    const [next] = this.waiting;
    if (next === undefined) return;
    this.waiting.delete(next);
    this.retry(next).catch(() => undefined);
  }

  private async lookUp(hostname: string): Promise<string[]> {
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
