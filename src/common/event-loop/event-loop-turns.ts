import { unavailable } from '../errors/domain-error';
import { currentRequest } from '../http/request-context';
import type { Eventually } from './eventually';

/** How long work may occupy the event loop before other requests are served. */
const TURN_MS = 5;
/**
 * Large requests that wait for their turn on the event loop; each holds its body. More get 503.
 * @limit Connections and requests
 */
const MAX_WAITING = 1000;

/** Milliseconds since an arbitrary moment; never goes back. */
export type MonotonicClock = () => number;

/**
 * Shares the event loop among requests with long computations: one of them has a turn at a time, and between turns the
 * loop serves all other requests. `setImmediate` alone would run all waiting requests in one iteration.
 */
export class EventLoopTurns {
  /** Each function returns whether it used the turn. */
  readonly #waiting: (() => boolean)[] = [];
  #turnEnds = -Infinity;

  constructor(private readonly now: MonotonicClock = () => performance.now()) {}

  /** Whether {@link next} must be awaited before further computation. */
  get isOver(): boolean {
    return this.now() >= this.#turnEnds;
  }

  /**
   * Waits for the next turn. Rejects with DomainError `unavailable` if too many requests are waiting, or if the request
   * has ended meanwhile.
   */
  next(): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING)
      return Promise.reject(unavailable('too many large requests wait'));
    const request = currentRequest();
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        if (request?.isOver) reject(unavailable('the request is over'));
        else resolve();
        return !request?.isOver;
      });
      if (this.#waiting.length === 1) setImmediate(this.grant);
    });
  }

  /**
   * Runs work step by step, waiting for a new turn whenever the current one is used up. Work with a single step is done
   * synchronously.
   */
  run<T>(work: Generator<void, T>): Eventually<T> {
    const first = work.next();
    return first.done ? first.value : this.continue(work);
  }

  private async continue<T>(work: Generator<void, T>): Promise<T> {
    for (;;) {
      if (this.isOver) await this.next();
      const step = work.next();
      if (step.done) return step.value;
    }
  }

  private readonly grant = (): void => {
    this.#turnEnds = this.now() + TURN_MS;
    let begin = this.#waiting.shift();
    while (begin && !begin()) begin = this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(this.grant);
  };
}

/** One instance per process, because there is one event loop to share. */
export const eventLoopTurns = new EventLoopTurns();
