import type { NodeResponse } from '../../../chains/rpc/response/node-response';

/** Holds the nodes' responses whose bytes are part of one response to a client, until that has been sent. */
export class HeldResponses {
  private readonly releases: (() => void)[] = [];

  hold(response: NodeResponse): NodeResponse {
    this.releases.push(response.release);
    return response;
  }

  /** Must be called when the response has been sent, or will not be sent. */
  release(): void {
    for (const release of this.releases.splice(0)) release();
  }
}
