import type { NodeResponse } from '../../../chains/rpc/response/node-response';

/** The responses of nodes whose bytes are part of one response to a client, until that one is sent. */
export class HeldResponses {
  private readonly releases: (() => void)[] = [];
  private isReleased = false;

  hold(response: NodeResponse): NodeResponse {
    this.releases.push(response.release);
    // Calls in progress of a batch that failed return later.
    if (this.isReleased) this.release();
    return response;
  }

  /** To be called when the response was sent or will not be sent. */
  release(): void {
    this.isReleased = true;
    for (const release of this.releases.splice(0)) release();
  }
}
