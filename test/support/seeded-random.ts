import { createHash } from 'node:crypto';

/** The same bytes in each run: SHA-256 of seed and counter. */
export class SeededRandom {
  private count = 0;

  constructor(private readonly seed: string) {}

  bytes(length: number): Buffer {
    const blocks = Array.from({ length: Math.ceil(length / 32) }, () => this.block());
    return Buffer.concat(blocks).subarray(0, length);
  }

  hex(length: number): string {
    return `0x${this.bytes(length).toString('hex')}`;
  }

  /** From 0 to 2^bits − 1; small values are as likely as large ones. */
  bigint(bits: number): bigint {
    const width = BigInt(this.below(bits + 1));
    return BigInt(`0x00${this.bytes(Math.ceil(bits / 8)).toString('hex')}`) % 2n ** width;
  }

  /** From 0 to `limit` − 1. */
  below(limit: number): number {
    return this.block().readUInt32BE() % limit;
  }

  list<T>(limit: number, item: () => T): T[] {
    return Array.from({ length: this.below(limit) }, item);
  }

  private block(): Buffer {
    this.count += 1;
    return createHash('sha256').update(`${this.seed}:${this.count}`).digest();
  }
}
