const RESPONSE_BUFFER_BYTES = 256 * 1024;
/** 12 MiB, the size of the largest response that a call may allow. */
const MAX_BUFFERS_OF_ORIGIN = 48;
/** 16 MiB for own calls, and as much for forwarded ones. One server cannot block the responses of all others. */
const MAX_BUFFERS = 64;

/**
 * The memory of large responses, from their first byte until they are read or, if they are forwarded, begin to be sent:
 * after that they count as responses that clients have not read. Buffers are reused, because V8
 * lets 64 MiB of unused buffers accumulate before it collects them.
 */
export class ResponseBuffers {
  private readonly free: Buffer[] = [];
  private taken = 0;
  private readonly byOrigin = new Map<string, number>();

  /** Undefined if all buffers, or all those available to one origin, are in use. */
  take(origin: string): Buffer | undefined {
    const ofOrigin = this.byOrigin.get(origin) ?? 0;
    if (this.taken >= MAX_BUFFERS || ofOrigin >= MAX_BUFFERS_OF_ORIGIN) return undefined;
    this.taken += 1;
    this.byOrigin.set(origin, ofOrigin + 1);
    return this.free.pop() ?? Buffer.allocUnsafeSlow(RESPONSE_BUFFER_BYTES);
  }

  /** Taken buffers no longer count: either they are reused next, or something else limits their memory until then. */
  handOver(origin: string, count: number): void {
    this.taken -= count;
    const left = (this.byOrigin.get(origin) ?? 0) - count;
    if (left > 0) this.byOrigin.set(origin, left);
    else this.byOrigin.delete(origin);
  }

  /** The caller must not use the buffers after that, because other responses reuse them. */
  reuse(buffers: readonly Buffer[]): void {
    this.free.push(...buffers.slice(0, MAX_BUFFERS - this.free.length));
  }
}
