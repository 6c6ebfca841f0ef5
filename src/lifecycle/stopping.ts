import { Injectable } from '@nestjs/common';

/**
 * Whether the service has begun to stop. Nest first ends background work, which takes seconds, and calls its other
 * shutdown hooks only then; probes, connections and requests that wait must know earlier.
 */
@Injectable()
export class Stopping {
  private readonly controller = new AbortController();

  get hasBegun(): boolean {
    return this.controller.signal.aborted;
  }

  /** Calls a function when the service begins to stop. */
  onBegin(listener: () => void): void {
    this.controller.signal.addEventListener('abort', listener, { once: true });
  }

  begin(): void {
    this.controller.abort();
  }
}
