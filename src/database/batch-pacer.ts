/** How long a batch waits for the one before it. */
const PATIENCE_MS = 10;

/**
 * Says when batches of questions go. One goes after the last question that its turn of the event loop brings, and while
 * another is under way not before that is back, so that it gathers what comes meanwhile. Where that takes long, as on a
 * connection that hangs, it goes all the same.
 */
export class BatchPacer {
  private readonly waiting = new Set<() => void>();
  private underWay = 0;

  schedule(go: () => void): void {
    setImmediate(() => {
      if (this.underWay === 0) go();
      else this.wait(go);
    });
  }

  /** Does the work of a batch that has gone. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
      for (const end of this.waiting) setImmediate(end);
    }
  }

  private wait(go: () => void): void {
    const end = (): void => {
      clearTimeout(timer);
      if (this.waiting.delete(end)) go();
    };
    const timer = setTimeout(end, PATIENCE_MS);
    this.waiting.add(end);
  }
}
