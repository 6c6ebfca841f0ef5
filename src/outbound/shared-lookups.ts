import { MAX_ADDRESSES } from './lookup';
import { LookupTurns } from './lookup-turns';

/** A lookup that takes longer has waited for name servers that do not respond, or respond late. */
const SLOW_MS = 3_000;
const REST_MS = 10_000;
/** How long the addresses of a slow name are used until its next lookup ends. */
const KEEP_MS = 300_000;
const MAX_SLOW = 1_000;

interface SlowName {
  /** The time of its next lookup. */
  retryAt: number;
  /** Found by the last lookup; undefined if it failed. */
  addresses: string[] | undefined;
  keptUntil: number;
}

/** What {@link SharedLookups} limits. */
export interface LookupLimits {
  /** The number of lookups in progress; no limit if omitted. */
  atOnce?: number;
  /** The time after which a lookup is slow, in milliseconds. */
  slowMs?: number;
  /** Monotonic clock, in milliseconds. */
  now?: () => number;
}

/**
 * Prevents slow lookups from occupying all of libuv's few threads. Concurrent calls for the same name share one lookup.
 * A name whose lookup was slow is not looked up for ten seconds; after that, such names are looked up one at a time, in
 * the order in which they were requested. Until such a lookup ends, the addresses that the slow one has found are used.
 */
export class SharedLookups {
  private readonly underWay = new Map<string, Promise<string[]>>();
  private readonly slow = new Map<string, SlowName>();
  /** Names that were requested while another slow one was being looked up. */
  private readonly waiting = new Set<string>();
  private isRetrying = false;
  private readonly turns: LookupTurns;
  private readonly slowMs: number;
  private readonly now: () => number;

  constructor(
    private readonly resolve: (hostname: string) => Promise<string[]>,
    { atOnce = Infinity, slowMs = SLOW_MS, now = () => performance.now() }: LookupLimits = {},
  ) {
    this.slowMs = slowMs;
    this.now = now;
    this.turns = new LookupTurns(atOnce, REST_MS);
  }

  /**
   * Does not wait for the next lookup of a slow name while the addresses from the last one are kept.
   *
   * @throws Error if the name has no address, or its lookup was slow and the next one is not due yet
   */
  find(hostname: string): Promise<string[]> {
    const slow = this.slow.get(hostname);
    const lookup = this.underWay.get(hostname) ?? this.beginDue(hostname, slow);
    if (slow?.addresses && this.now() < slow.keptUntil) {
      lookup?.catch(() => undefined);
      return Promise.resolve(slow.addresses);
    }
    return lookup ?? Promise.reject(new Error('The name servers did not respond a moment ago'));
  }

  /** @returns undefined if the name is slow, and not due or waiting for the lookup of another slow one */
  private beginDue(hostname: string, slow: SlowName | undefined): Promise<string[]> | undefined {
    if (!slow) return this.begin(hostname);
    if (this.now() < slow.retryAt) return undefined;
    if (!this.isRetrying) return this.retry(hostname);
    this.waiting.add(hostname);
    return undefined;
  }

  private begin(hostname: string): Promise<string[]> {
    const started = this.turns.run(() => this.lookUp(hostname)).finally(() => this.underWay.delete(hostname));
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
    let addresses: string[] | undefined;
    try {
      addresses = await this.resolve(hostname);
      return addresses;
    } finally {
      this.slow.delete(hostname);
      if (this.now() - startedAt >= this.slowMs) this.remember(hostname, addresses);
    }
  }

  private remember(hostname: string, addresses: string[] | undefined): void {
    const now = this.now();
    this.slow.set(hostname, {
      retryAt: now + REST_MS,
      addresses: addresses?.slice(0, MAX_ADDRESSES),
      keptUntil: now + KEEP_MS,
    });
    const [oldest] = this.slow.keys();
    if (this.slow.size <= MAX_SLOW || oldest === undefined) return;
    this.slow.delete(oldest);
    this.waiting.delete(oldest);
  }
}
