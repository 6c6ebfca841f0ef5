import { keccak256Hex } from '../keccak256';

const WORD_BYTES = 32;

/**
 * A buffer of 32-byte words that are hashed together. Strings would be slower: the garbage collector would copy
 * thousands of them at every run.
 */
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

  /** keccak256 of all words, as hex with `0x`. */
  hash(): string {
    return keccak256Hex(this.#bytes);
  }
}
