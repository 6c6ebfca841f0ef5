import { signerFailure } from '../signer-failure';

export interface CallLimits {
  /** The maximum number of calls in flight. */
  concurrency: number;
  /** The maximum number of calls that wait; further calls are refused. */
  waiting: number;
  /** The time limit of a call, including its wait, which may take up to half of it. */
  timeoutMs: number;
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  /** Calls in progress to the key service of one signer. @limit Signers and key services */
  concurrency: 16,
  /** Calls that wait for their turn; more get 503. @limit Signers and key services */
  waiting: 1000,
  /**
   * Time for a call to a key service, including its wait for other calls, which is at most half of it.
   * @limit Signers and key services
   */
  timeoutMs: 5000,
};

/** Makes calls to one key service on behalf of one signer, limited in number and time. */
export class RemoteCalls {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly limits: CallLimits = DEFAULT_CALL_LIMITS) {}

  /**
   * Makes a call. The signal aborts it; the time limit applies even if the call ignores the signal.
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
   * Waits for at most half of the time limit. A call that began with too little time left would time out in vain, and
   * under overload every call would be one of those.
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
