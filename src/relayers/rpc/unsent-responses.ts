import { Injectable } from '@nestjs/common';

/** Two batches that are as large as they may be. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A response of this size is not counted: it may be the hash of a transaction that was sent. */
export const SMALL_RESPONSE_BYTES = 4096;

/** The bytes of nodes' responses that all requests together hold until they are sent to their callers. */
@Injectable()
export class UnsentResponses {
  private bytes = 0;

  /** What one request holds. */
  open(): UnsentResponse {
    return new UnsentResponse((change) => {
      if (this.bytes + change > MAX_BYTES) return false;
      this.bytes += change;
      return true;
    });
  }
}

/** What one request holds until its response is sent. */
export class UnsentResponse {
  private held = 0;
  private isReleased = false;

  /** @param count adds to what all requests hold; false, and nothing is added, where that is too much */
  constructor(private readonly count: (change: number) => boolean) {}

  /** False where there is no room for so many bytes more. */
  hold(bytes: number): boolean {
    if (bytes <= SMALL_RESPONSE_BYTES) return true;
    // Of a batch that failed, calls that were under way come back later.
    if (this.isReleased || !this.count(bytes)) return false;
    this.held += bytes;
    return true;
  }

  /** The response was sent, or will not be; called more than once it does nothing more. */
  release(): void {
    this.isReleased = true;
    this.count(-this.held);
    this.held = 0;
  }
}
