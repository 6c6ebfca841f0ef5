import { signerFailure } from '../signer-failure';

export interface CallLimits {
  /** Calls in flight at once. */
  concurrency: number;
  /** Calls that may wait for their turn; further ones are refused. */
  waiting: number;
  /** Until a call is given up, including its wait. */
  timeoutMs: number;
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  /** Calls to the key service of one signer in progress. @limit Signers and key services */
  concurrency: 16,
  /** Calls that wait for their turn; more get 503. @limit Signers and key services */
  waiting: 1000,
  /** Time for a call to a key service, its wait included. @limit Signers and key services */
  timeoutMs: 5000,
};

/** Calls to one key service on behalf of one signer: bounded in number and time. */
export class RemoteCalls {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly limits: CallLimits = DEFAULT_CALL_LIMITS) {}

  /**
   * The signal aborts the call; the time-out applies even if the call ignores it.
   *
   * @throws SignerFailure `busy`, `timeout`, or the error of the call
   */
  async run<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(signerFailure('timeout'));
        abort.abort();
      }, this.limits.timeoutMs);
    });
    try {
      await Promise.race([this.turn(abort.signal), late]);
      try {
        return await Promise.race([call(abort.signal), late]);
      } finally {
        this.pass();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private turn(signal: AbortSignal): Promise<void> {
    if (this.#running < this.limits.concurrency) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (this.#waiting.size >= this.limits.waiting) return Promise.reject(signerFailure('busy'));
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      signal.addEventListener('abort', () => this.#waiting.delete(resolve), { once: true });
    });
  }

  /** Passes the turn to the call that has waited longest. */
  private pass(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else {
      this.#running -= 1;
    }
  }
}
