import { AbandonedCallError } from '../endpoint-error';
import type { NodeResponse } from './node-response';

/**
 * A response that several callers wait for. Its memory is released once all of them have released it. If none of them
 * waits any more, the call is aborted.
 */
export class SharedResponse {
  private readonly response: Promise<NodeResponse>;
  private readonly abort = new AbortController();
  private waiting = 0;
  private unsent = 0;
  private holders = 0;

  /**
   * @param send makes the call
   * @param closed called when the response has arrived or the call is aborted: no caller may join after that
   */
  constructor(
    send: (signal: AbortSignal) => Promise<NodeResponse>,
    private readonly closed: () => void,
  ) {
    this.response = send(this.abort.signal);
    // Registered first, so that it runs before the callbacks of those who joined.
    this.response.then(closed, closed);
  }

  /**
   * @param signal aborted when this caller stops waiting. The result still settles with the call itself, whose
   * parameters remain in memory until then.
   * @throws AbandonedCallError if all callers have stopped waiting
   */
  async join(signal?: AbortSignal): Promise<NodeResponse> {
    this.waiting += 1;
    this.unsent += 1;
    this.holders += 1;
    if (signal?.aborted) this.leave();
    else signal?.addEventListener('abort', this.leave, { once: true });
    try {
      return this.held(await this.response);
    } finally {
      signal?.removeEventListener('abort', this.leave);
    }
  }

  /** The response for one caller. */
  private held(response: NodeResponse): NodeResponse {
    let [isUnsent, isHeld] = [true, true];
    const handOver = (): void => {
      if (!isUnsent) return;
      isUnsent = false;
      this.unsent -= 1;
      if (this.unsent === 0) response.handOver();
    };
    const release = (): void => {
      if (!isHeld) return;
      handOver();
      isHeld = false;
      this.holders -= 1;
      if (this.holders === 0) response.release();
    };
    return { ...response, handOver, release };
  }

  private readonly leave = (): void => {
    this.waiting -= 1;
    if (this.waiting > 0) return;
    this.closed();
    this.abort.abort(new AbandonedCallError());
  };
}
