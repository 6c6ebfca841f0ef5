import { BytePieces } from '../common/http/byte-pieces';
import type { AnswerMemory } from './answer-memory';

/** No buffer is larger, so that none is copied to grow and little of the last one stays empty. */
const MAX_BUFFER_BYTES = 1024 * 1024;

/**
 * The body of an answer while it is read. What comes is copied into few buffers, since each piece that is kept costs a
 * hundred bytes of its own, and the server chooses how small they are.
 */
export class AnswerBody {
  private readonly full: Buffer[] = [];
  private last = Buffer.alloc(0);
  /** Bytes in the last buffer. */
  private filled = 0;
  private allocated = 0;
  private written = 0;

  constructor(
    private readonly origin: string,
    private readonly maxBytes: number,
    private readonly memory: AnswerMemory,
  ) {}

  /** How many bytes may still come. */
  get room(): number {
    return this.maxBytes - this.written;
  }

  /** @param piece no longer than {@link room} @returns false where there is no memory for it */
  append(piece: Buffer): boolean {
    const copied = piece.copy(this.last, this.filled);
    this.filled += copied;
    this.written += copied;
    const rest = piece.length - copied;
    if (rest === 0) return true;
    // As much as came so far: a body has few buffers, and the first one is no larger than what it holds.
    const size = Math.min(
      Math.max(rest, Math.min(this.allocated, MAX_BUFFER_BYTES)),
      this.maxBytes - this.written,
    );
    if (!this.memory.resize(this.origin, this.allocated, this.allocated + size)) return false;
    if (this.filled > 0) this.full.push(this.last);
    this.allocated += size;
    this.last = Buffer.allocUnsafe(size);
    this.filled = piece.copy(this.last, 0, copied);
    this.written += this.filled;
    return true;
  }

  /** What was read. It is counted until {@link release}. */
  get pieces(): BytePieces {
    return new BytePieces([...this.full, this.last.subarray(0, this.filled)]);
  }

  /** Gives its memory back; nothing can be read from it any more. */
  release(): void {
    this.memory.resize(this.origin, this.allocated, 0);
    this.full.length = 0;
    this.last = Buffer.alloc(0);
    this.filled = 0;
    this.allocated = 0;
    this.written = 0;
  }
}
