import { RpcUnavailableError } from '../../../chains/rpc/endpoint-error';
import { isInBody, lengthOf, type NodeResponse } from '../../../chains/rpc/response/node-response';
import type { CopiedResponses } from './copied-responses';

/** Holds the nodes' responses whose bytes are part of one response to a client, until that has been sent. */
export class HeldResponses {
  private readonly held: NodeResponse[] = [];
  private copiedBytes = 0;

  /** @param copies limits the responses that are not in the memory for large ones; undefined for a single response */
  constructor(private readonly copies?: CopiedResponses) {}

  /** @throws RpcUnavailableError if there is no memory for it */
  hold(response: NodeResponse): NodeResponse {
    if (this.copies && !isInBody(response)) {
      const bytes = lengthOf(response);
      if (!this.copies.reserve(bytes)) {
        response.release();
        throw new RpcUnavailableError('overloaded');
      }
      this.copiedBytes += bytes;
    }
    this.held.push(response);
    return response;
  }

  /** Must be called when the response is about to be sent. */
  handOver(): void {
    this.copies?.release(this.copiedBytes);
    this.copiedBytes = 0;
    for (const { handOver } of this.held) handOver();
  }

  /** Must be called when the response has been sent, or will not be sent. */
  release(): void {
    this.copies?.release(this.copiedBytes);
    this.copiedBytes = 0;
    for (const { release } of this.held.splice(0)) release();
  }
}
