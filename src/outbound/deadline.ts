import { type Destination, failure } from './destination';
import type { OutboundRequest } from './outbound-message';

/** Aborts a call when its time-out elapses or the caller aborts it; the signal's reason is the error. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly destination: Destination,
    private readonly request: Pick<OutboundRequest, 'timeoutMs' | 'signal'>,
  ) {
    const { timeoutMs, signal } = request;
    this.timer = setTimeout(() => {
      this.controller.abort(failure('timeout', destination, `did not respond within ${timeoutMs} ms`));
    }, timeoutMs);
    if (signal?.aborted) this.onAbort();
    else signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.request.signal?.removeEventListener('abort', this.onAbort);
  }

  private readonly onAbort = (): void => {
    this.controller.abort(failure('aborted', this.destination, 'is no longer asked'));
  };
}
