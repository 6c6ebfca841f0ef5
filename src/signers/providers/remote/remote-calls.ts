import { signerFailure } from '../../signer-failure';

export interface CallLimits {
  /** Calls in flight at once. */
  concurrency: number;
  /** Calls that may wait for their turn; one more is refused. */
  waiting: number;
  /** From the turn of a call until it is given up. */
  timeoutMs: number;
}

export const DEFAULT_CALL_LIMITS: CallLimits = { concurrency: 16, waiting: 1000, timeoutMs: 5000 };

/** Calls to one key service on behalf of one signer: bounded in number and time. */
export class RemoteCalls {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly limits: CallLimits = DEFAULT_CALL_LIMITS) {}

  /** @throws SignerFailure `busy`, `timeout`, or whatever the call throws */
  async run<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    await this.turn();
    try {
      return await this.inTime(call);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  private turn(): Promise<void> {
    if (this.#running < this.limits.concurrency) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.limits.waiting) return Promise.reject(signerFailure('busy'));
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The signal asks the call to stop; the time-out holds even when the call does not listen. */
  private async inTime<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(signerFailure('timeout'));
        abort.abort();
      }, this.limits.timeoutMs);
    });
    try {
      return await Promise.race([call(abort.signal), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
