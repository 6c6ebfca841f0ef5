import { settledOrLate } from './within';

/**
 * Runs work with the same key one after the other, so that it does not collide in the database. This only saves work
 * and guarantees nothing: other processes do not wait, and if work hangs, callers wait at most `patienceMs`.
 */
export class KeyedTurns {
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(private readonly patienceMs: number) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    const result = before ? settledOrLate(before, this.patienceMs).then(work) : work();
    const settled: Promise<void> = result
      .catch(() => undefined)
      .then(() => {
        if (this.last.get(key) === settled) this.last.delete(key);
      });
    this.last.set(key, settled);
    return result;
  }
}
