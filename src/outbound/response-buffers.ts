const RESPONSE_BUFFER_BYTES = 256 * 1024;
/** 16 MiB. Buffers are reused for later responses. */
const MAX_BUFFERS = 64;
/** 12 MiB, the largest response that a call may allow: one server cannot block the responses of all others. */
const MAX_BUFFERS_OF_ORIGIN = 48;

/**
 * The memory of large responses, from their first byte until they are read or passed on. Buffers are reused, since V8 lets
 * 64 MiB of unused buffers accumulate before it collects them.
 */
export class ResponseBuffers {
  private readonly free: Buffer[] = [];
  private taken = 0;
  private readonly byOrigin = new Map<string, number>();

  /** Undefined if all buffers, or all that one origin may have, are in use. */
  take(origin: string): Buffer | undefined {
    const ofOrigin = this.byOrigin.get(origin) ?? 0;
    if (this.taken >= MAX_BUFFERS || ofOrigin >= MAX_BUFFERS_OF_ORIGIN) return undefined;
    this.taken += 1;
    this.byOrigin.set(origin, ofOrigin + 1);
    return this.free.pop() ?? Buffer.allocUnsafeSlow(RESPONSE_BUFFER_BYTES);
  }

  /** The caller must not use them any more: they are reused for other responses. */
  release(origin: string, buffers: readonly Buffer[]): void {
    this.taken -= buffers.length;
    const left = (this.byOrigin.get(origin) ?? 0) - buffers.length;
    if (left > 0) this.byOrigin.set(origin, left);
    else this.byOrigin.delete(origin);
    this.free.push(...buffers);
  }
}
