import { signerFailure } from '../signer-failure';

export interface CallLimits {
  /** Calls in flight at once. */
  concurrency: number;
  /** Calls that may wait for their turn; further ones are refused. */
  waiting: number;
  /** Until a call is given up, including its wait, which is half of this at most. */
  timeoutMs: number;
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  /** Calls in progress to the key service of one signer. @limit Signers and key services */
  concurrency: 16,
  /** Calls that wait for their turn; more get 503. @limit Signers and key services */
  waiting: 1000,
  /** Time for a call to a key service, including its wait for other calls, which is at most half of it. @limit Signers and key services */
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
      await this.turn();
      try {
        return await Promise.race([call(abort.signal), late]);
      } finally {
        this.pass();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * A call that began with too little time left would end in vain. Where more come than the service can take, that would be each
   * of them.
   */
  private turn(): Promise<void> {
    if (this.#running < this.limits.concurrency) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (this.#waiting.size >= this.limits.waiting) return Promise.reject(signerFailure('busy'));
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(signerFailure('timeout'));
      }, this.limits.timeoutMs / 2);
      this.#waiting.add(begin);
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
