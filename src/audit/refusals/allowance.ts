/** A token bucket: allows a burst of events, and then a few per second. */
export class Allowance {
  private left: number;
  private filledAt: number;

  /** @param now in milliseconds; never goes back */
  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.left = burst;
    this.filledAt = now();
  }

  /** Takes a token. @returns false if none is left */
  take(): boolean {
    const now = this.now();
    this.left = Math.min(this.burst, this.left + ((now - this.filledAt) / 1000) * this.perSecond);
    this.filledAt = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
