/**
 * Bytes in the pieces in which they arrived: large data is forwarded without being copied into one buffer. Neither the
 * list nor the buffers may be changed.
 */
export class BytePieces {
  readonly length: number;

  constructor(readonly pieces: readonly Buffer[]) {
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** The bytes from `start` up to, but not including, `end`. The memory is shared. */
  slice(start: number, end: number): BytePieces {
    const parts: Buffer[] = [];
    let before = 0;
    for (const piece of this.pieces) {
      const from = Math.max(start - before, 0);
      const to = Math.min(end - before, piece.length);
      if (from < to) parts.push(piece.subarray(from, to));
      before += piece.length;
    }
    return new BytePieces(parts);
  }

  /** All bytes in one buffer. */
  toBuffer(): Buffer {
    const [first, ...others] = this.pieces;
    return first && others.length === 0 ? first : Buffer.concat(this.pieces);
  }

  toString(): string {
    return this.toBuffer().toString('utf8');
  }
}
