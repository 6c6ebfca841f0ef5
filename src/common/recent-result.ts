/** Shares each result with those who ask within a moment, measured by a clock that is never set back. */
export class RecentResult<T> {
  private result: Promise<T> | undefined;
  private readAt = -Infinity;

  /** @param sharedForMs how long a result is reused, from the time at which reading it began */
  constructor(
    private readonly read: () => Promise<T>,
    private readonly sharedForMs: number,
  ) {}

  get(): Promise<T> {
    const now = performance.now();
    if (this.result && now - this.readAt <= this.sharedForMs) return this.result;
    this.readAt = now;
    return (this.result = this.read());
  }

  /** The next one who asks gets a new result. */
  forget(): void {
    this.result = undefined;
  }
}
