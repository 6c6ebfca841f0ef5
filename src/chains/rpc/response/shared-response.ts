import type { NodeResponse } from './node-response';

/** A response that several callers wait for. Its memory is released when the last of them has released it. */
export class SharedResponse {
  private holders = 0;

  /** @param closed called when the response has arrived: nobody may join any more */
  constructor(
    private readonly response: Promise<NodeResponse>,
    closed: () => void,
  ) {
    // Registered first, so that it runs before whatever those who joined do.
    response.then(closed, closed);
  }

  async join(): Promise<NodeResponse> {
    this.holders += 1;
    const response = await this.response;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.holders -= 1;
      if (this.holders === 0) response.release();
    };
    return { ...response, release };
  }
}
