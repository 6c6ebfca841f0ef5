import type { NodeResponse } from './node-response';

/** A response that several callers wait for. Its memory is released once all of them have released it. */
export class SharedResponse {
  private holders = 0;

  /** @param closed called when the response has arrived: no caller may join after that */
  constructor(
    private readonly response: Promise<NodeResponse>,
    closed: () => void,
  ) {
    // Registered first, so that it runs before the callbacks of those who joined.
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
