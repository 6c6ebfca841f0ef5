import { BytePieces } from '../common/http/byte-pieces';
import type { ResponseBuffers } from './response-buffers';

/** Up to this size, a body has buffers of its own. The limit on connections bounds the number of such bodies. */
const SMALL_BYTES = 64 * 1024;

/**
 * The body of a response that is being read. Incoming data is copied into a few buffers, because each stored piece
 * costs another hundred bytes, and the server chooses how small the pieces are.
 */
export class ResponseBody {
  private readonly full: Buffer[] = [];
  private readonly borrowed: Buffer[] = [];
  private last: Buffer = Buffer.alloc(0);
  /** The number of bytes in the last buffer. */
  private filled = 0;
  private written = 0;
  private isHandedOver = false;

  constructor(
    private readonly origin: string,
    private readonly maxBytes: number,
    private readonly buffers: ResponseBuffers,
  ) {}

  /** How many more bytes may be appended. */
  get room(): number {
    return this.maxBytes - this.written;
  }

  /** @param piece no longer than {@link room} @returns false if there is no memory for it */
  append(piece: Buffer): boolean {
    let copied = 0;
    while (copied < piece.length) {
      if (this.filled === this.last.length && !this.grow(piece.length - copied)) return false;
      const count = piece.copy(this.last, this.filled, copied);
      this.filled += count;
      this.written += count;
      copied += count;
    }
    return true;
  }

  /** The data that was read; valid until {@link release}. */
  get pieces(): BytePieces {
    return new BytePieces([...this.full, this.last.subarray(0, this.filled)]);
  }

  /** The buffers no longer count against the memory for responses, but remain valid until {@link release}. */
  handOver(): void {
    if (this.isHandedOver) return;
    this.isHandedOver = true;
    this.buffers.handOver(this.origin, this.borrowed.length);
  }

  /** Releases the memory; the data must not be used after that. */
  release(): void {
    this.handOver();
    this.buffers.reuse(this.borrowed.splice(0));
  }

  private grow(wanted: number): boolean {
    const next = this.nextBuffer(wanted);
    if (!next) return false;
    if (this.filled > 0) this.full.push(this.last);
    this.last = next;
    this.filled = 0;
    return true;
  }

  private nextBuffer(wanted: number): Buffer | undefined {
    // As large as the body so far, so that a body has few buffers. The first one is no larger than its content.
    const size = Math.max(wanted, this.written);
    if (this.written + size <= SMALL_BYTES) return Buffer.allocUnsafe(Math.min(size, this.room));
    const buffer = this.buffers.take(this.origin);
    if (buffer) this.borrowed.push(buffer);
    return buffer;
  }
}
