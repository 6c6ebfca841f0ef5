/** The reasons with which the signal is aborted. */
interface Reasons {
  late: () => Error;
  aborted: () => Error;
}

/**
 * A signal that is aborted after a time, or when another signal is. Its timer keeps it alive: Node 20 garbage-collects
 * an `AbortSignal.timeout` that only an `AbortSignal.any` refers to, so code that waits for it would wait forever.
 */
export class TimeLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  /** @param reasons by default, a text with the time, and the reason of the other signal */
  constructor(
    ms: number,
    private readonly other?: AbortSignal,
    private readonly reasons?: Reasons,
  ) {
    this.timer = setTimeout(() => {
      this.controller.abort(reasons?.late() ?? new Error(`took longer than ${ms} ms`));
    }, ms);
    if (other?.aborted) this.onAbort();
    else other?.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Must be called when nothing waits for the signal any more. */
  clear(): void {
    clearTimeout(this.timer);
    this.other?.removeEventListener('abort', this.onAbort);
  }

  private readonly onAbort = (): void => this.controller.abort(this.reasons?.aborted() ?? this.other?.reason);
}
