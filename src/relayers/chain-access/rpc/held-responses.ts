import type { NodeResponse } from '../../../chains/rpc/response/node-response';

/** Holds the nodes' responses whose bytes are part of one response to a client, until that has been sent. */
export class HeldResponses {
  private readonly held: NodeResponse[] = [];

  hold(response: NodeResponse): NodeResponse {
    this.held.push(response);
    return response;
  }

  /** Must be called when the response is about to be sent. */
  handOver(): void {
    for (const { handOver } of this.held) handOver();
  }

  /** Must be called when the response has been sent, or will not be sent. */
  release(): void {
    for (const { release } of this.held.splice(0)) release();
  }
}
