const MAX_WAITING = 1_000;

/** Limits the lookups in progress. Further ones wait, in order. */
export class LookupTurns {
  private inProgress = 0;
  /** Starts the lookups that wait, in order. */
  private readonly waiting = new Set<() => void>();

  /**
   * @param atOnce the number of lookups in progress
   * @param maxWaitMs a lookup that has waited this long fails, because its callers are about to give up
   */
  constructor(
    private readonly atOnce: number,
    private readonly maxWaitMs: number,
  ) {}

  /** Runs a lookup in its turn. @throws Error if it has waited too long, or too many wait */
  async run<T>(lookUp: () => Promise<T>): Promise<T> {
    if (this.inProgress < this.atOnce) this.inProgress += 1;
    else await this.turn();
    try {
      return await lookUp();
    } finally {
      const [next] = this.waiting;
      // The next one takes over the place.
      if (next) next();
      else this.inProgress -= 1;
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.size >= MAX_WAITING) return Promise.reject(new Error('Too many name lookups wait'));
    return new Promise((resolve, reject) => {
      const start = (): void => {
        this.waiting.delete(start);
        clearTimeout(timer);
        resolve();
      };
      // A timer, because while the lookups in progress hang, no turn may come for a long time.
      const timer = setTimeout(() => {
        this.waiting.delete(start);
        reject(new Error('The name lookup has waited too long for others'));
      }, this.maxWaitMs).unref();
      this.waiting.add(start);
    });
  }
}
