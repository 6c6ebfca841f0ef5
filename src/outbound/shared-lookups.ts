import { setNewest } from '../common/set-newest';
import { MAX_ADDRESSES } from './lookup';
import { LookupTurns } from './lookup-turns';

/** A lookup that takes longer has waited for name servers that do not respond, or respond late. */
const SLOW_MS = 3_000;
const REST_MS = 10_000;
/** How long the addresses that a lookup found are used while the next one cannot begin, or is slow again. */
const KEEP_MS = 3_600_000;
const MAX_SLOW = 1_000;
const MAX_KEPT = 1_000;

/** What the last lookup of a name found. */
interface Found {
  addresses: string[];
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
 * the order in which they were requested. Until such a lookup ends, and while the lookup of any name waits for others,
 * the addresses that the last one has found are used.
 */
export class SharedLookups {
  private readonly underWay = new Map<string, Promise<string[]>>();
  /** Names that the resolver is looking up; others that are under way wait for their turn. */
  private readonly started = new Set<string>();
  /** The times of the next lookups of slow names. */
  private readonly slow = new Map<string, number>();
  private readonly found = new Map<string, Found>();
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
   * Does not wait for the next lookup of a slow name, or for the turn of any name, while the addresses from the last
   * lookup are kept.
   *
   * @throws Error if the name has no address, or its lookup was slow and the next one is not due yet
   */
  find(hostname: string): Promise<string[]> {
    const lookup = this.underWay.get(hostname) ?? this.beginDue(hostname);
    const found = this.found.get(hostname);
    const mustWait = this.slow.has(hostname) || !this.started.has(hostname);
    if (mustWait && found && this.now() < found.keptUntil) {
      lookup?.catch(() => undefined);
      return Promise.resolve(found.addresses);
    }
    return lookup ?? Promise.reject(new Error('The name servers did not respond a moment ago'));
  }

  /** @returns undefined if the name is slow, and not due or waiting for the lookup of another slow one */
  private beginDue(hostname: string): Promise<string[]> | undefined {
    const retryAt = this.slow.get(hostname);
    if (retryAt === undefined) return this.begin(hostname);
    if (this.now() < retryAt) return undefined;
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
    this.started.add(hostname);
    try {
      const addresses = await this.resolve(hostname);
      const kept = { addresses: addresses.slice(0, MAX_ADDRESSES), keptUntil: this.now() + KEEP_MS };
      setNewest(this.found, hostname, kept, MAX_KEPT);
      return addresses;
    } catch (error) {
      this.found.delete(hostname);
      throw error;
    } finally {
      this.started.delete(hostname);
      this.slow.delete(hostname);
      if (this.now() - startedAt >= this.slowMs) this.remember(hostname);
    }
  }

  private remember(hostname: string): void {
    this.slow.set(hostname, this.now() + REST_MS);
    const [oldest] = this.slow.keys();
    if (this.slow.size <= MAX_SLOW || oldest === undefined) return;
    this.slow.delete(oldest);
    this.waiting.delete(oldest);
  }
}
