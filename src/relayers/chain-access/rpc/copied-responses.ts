/** Small responses that wait in batches for the last response, in a process. @limit Calls to nodes */
const MAX_BYTES = 16 * 1024 * 1024;
/** A response of up to this size is never refused: it may be the hash of a transaction that was sent. */
const ALWAYS_BYTES = 4096;

/**
 * The memory of the responses that batches hold apart from the memory for large responses, because they were copied out
 * of it. A batch may hold many of them for as long as its slowest call takes.
 */
export class CopiedResponses {
  private used = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /** @returns false if there is no memory for them */
  reserve(bytes: number): boolean {
    if (bytes > ALWAYS_BYTES && this.used + bytes > this.maxBytes) return false;
    this.used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.used -= bytes;
  }
}
