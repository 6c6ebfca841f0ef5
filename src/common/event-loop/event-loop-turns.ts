/** How long work may hold the event loop before others get their turn. */
const TURN_MS = 5;

/** Milliseconds since any fixed moment; never runs backwards. */
export type MonotonicClock = () => number;

/**
 * Shares the event loop among requests with much to compute: one of them has a turn at a time, and between two
 * turns the loop serves everybody else. `setImmediate` alone would let all that wait run one after the other.
 */
export class EventLoopTurns {
  readonly #waiting: (() => void)[] = [];
  #turnEnds = -Infinity;

  constructor(private readonly now: MonotonicClock = () => performance.now()) {}

  /** Undefined while the turn lasts; else what to await for the next. */
  next(): Promise<void> | undefined {
    return this.now() < this.#turnEnds ? undefined : this.wait();
  }

  private wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(this.grant);
    });
  }

  private readonly grant = (): void => {
    this.#turnEnds = this.now() + TURN_MS;
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.grant);
  };
}

/** The turns of this process: there is one event loop to share. */
export const eventLoopTurns = new EventLoopTurns();
