export const RESPONSE_BUFFER_BYTES = 256 * 1024;
/** 16 MiB. What was used once is kept for the next response. */
const MAX_BUFFERS = 64;
/** 12 MiB, as large as any response that may be asked for: no server keeps those of all others from being read. */
const MAX_BUFFERS_OF_ORIGIN = 48;

/**
 * The memory of large responses, from their first byte until they were read, or passed on. Buffers are used again: V8 lets
 * 64 MiB of buffers that nobody uses any more pile up before it looks for them.
 */
export class ResponseBuffers {
  private readonly free: Buffer[] = [];
  private taken = 0;
  private readonly byOrigin = new Map<string, number>();

  /** Undefined where all of them, or all that one origin may have, are in use. */
  take(origin: string): Buffer | undefined {
    const ofOrigin = this.byOrigin.get(origin) ?? 0;
    if (this.taken >= MAX_BUFFERS || ofOrigin >= MAX_BUFFERS_OF_ORIGIN) return undefined;
    this.taken += 1;
    this.byOrigin.set(origin, ofOrigin + 1);
    return this.free.pop() ?? Buffer.allocUnsafeSlow(RESPONSE_BUFFER_BYTES);
  }

  /** Nobody may use them any more: their bytes will be those of another response. */
  giveBack(origin: string, buffers: readonly Buffer[]): void {
    this.taken -= buffers.length;
    const left = (this.byOrigin.get(origin) ?? 0) - buffers.length;
    if (left > 0) this.byOrigin.set(origin, left);
    else this.byOrigin.delete(origin);
    this.free.push(...buffers);
  }
}
