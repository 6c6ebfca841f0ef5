import { setNewest } from '../../../common/set-newest';

/**
 * Shares what was read a moment ago, such as an estimate that is the same for many transactions. Reads that failed are
 * not shared with later callers.
 */
export class RecentReads<T> {
  private readonly reads = new Map<string, { at: number; value: Promise<T> }>();

  /**
   * @param maxEntries beyond which the oldest is removed
   * @param now in milliseconds
   */
  constructor(
    private readonly maxAgeMs: number,
    private readonly maxEntries = 1000,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws what `read` throws */
  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.reads.get(key);
    if (known && this.now() - known.at < this.maxAgeMs) return known.value;
    const entry = { at: this.now(), value: read() };
    entry.value.catch(() => {
      if (this.reads.get(key) === entry) this.reads.delete(key);
    });
    setNewest(this.reads, key, entry, this.maxEntries);
    return entry.value;
  }
}
