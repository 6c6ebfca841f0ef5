import type { AnswerMemory } from './answer-memory';

const EMPTY = Buffer.alloc(0);

/**
 * The body of an answer while it is read. The pieces are copied into one buffer, since each piece that is kept costs a
 * hundred bytes of its own, and the server chooses how small they are.
 */
export class AnswerBody {
  private buffer = EMPTY;
  private written = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly memory: AnswerMemory,
  ) {}

  /** How many bytes may still come. */
  get room(): number {
    return this.maxBytes - this.written;
  }

  /** @param piece no longer than {@link room} @returns false where there is no memory for it */
  append(piece: Buffer): boolean {
    const wanted = this.written + piece.length;
    if (wanted > this.buffer.length && !this.grow(wanted)) return false;
    this.written += piece.copy(this.buffer, this.written);
    return true;
  }

  /** What was read. Its memory is the caller's from now on. */
  take(): Buffer {
    const read = this.buffer.subarray(0, this.written);
    this.discard();
    return read;
  }

  discard(): void {
    this.memory.resize(this.buffer.length, 0);
    this.buffer = EMPTY;
    this.written = 0;
  }

  private grow(wanted: number): boolean {
    const size = Math.min(Math.max(wanted, 2 * this.buffer.length), this.maxBytes);
    if (!this.memory.resize(this.buffer.length, size)) return false;
    const larger = Buffer.allocUnsafe(size);
    this.buffer.copy(larger, 0, 0, this.written);
    this.buffer = larger;
    return true;
  }
}
