import { keccak256Hex } from '../keccak256';

const WORD_BYTES = 32;

/** The words of 32 bytes that are hashed together, as bytes: thousands of strings would be copied at every collection of garbage. */
export class Words {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(count: number) {
    this.#bytes = Buffer.alloc(count * WORD_BYTES);
  }

  /** @param word 32 bytes as hex with `0x` */
  add(word: string): void {
    this.#length += this.#bytes.write(word.slice(2), this.#length, 'hex');
  }

  /** keccak256 of all of them, as hex with `0x`. */
  hash(): string {
    return keccak256Hex(this.#bytes);
  }
}
