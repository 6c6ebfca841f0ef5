const MAX_WAITING = 1_000;

/** Limits the lookups in progress. Further ones wait, in order. */
export class LookupTurns {
  private inProgress = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param atOnce the number of lookups in progress
   * @param maxWaitMs a lookup that has waited longer fails when its turn comes, because its callers have given up
   * @param now monotonic clock, in milliseconds
   */
  constructor(
    private readonly atOnce: number,
    private readonly maxWaitMs: number,
    private readonly now: () => number,
  ) {}

  /** Runs a lookup in its turn. @throws Error if it has waited too long, or too many wait */
  async run<T>(lookUp: () => Promise<T>): Promise<T> {
    const since = this.now();
    if (this.inProgress < this.atOnce) this.inProgress += 1;
    else await this.turn();
    try {
      if (this.now() - since > this.maxWaitMs)
        throw new Error('The name lookup has waited too long for others');
      return await lookUp();
    } finally {
      const next = this.waiting.shift();
      // The next one takes over the place.
      if (next) next();
      else this.inProgress -= 1;
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= MAX_WAITING) return Promise.reject(new Error('Too many name lookups wait'));
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
