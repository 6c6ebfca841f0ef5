import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * Text that must not be seen: a key, a token, a passphrase. Printing, JSON and inspection all give `[redacted]`; only
 * {@link use} and {@link reveal} give it, so every use of it can be found by name.
 *
 * It is held as bytes of its own (UTF-8), which {@link destroy} overwrites. A string stays in memory until it is collected, and
 * in what memory was copied to: what can work on bytes should.
 */
export class Secret {
  readonly #bytes: Buffer;
  #isDestroyed = false;

  /** @param value bytes belong to the secret from now on; a string is copied */
  constructor(value: string | Buffer) {
    if (typeof value !== 'string') {
      this.#bytes = value;
      return;
    }
    // Small buffers made in another way share a block with what else the process reads and writes.
    this.#bytes = Buffer.alloc(Buffer.byteLength(value, 'utf8'));
    this.#bytes.write(value, 'utf8');
  }

  /**
   * Works on the bytes, which must not be changed or kept.
   *
   * @throws Error after {@link destroy}
   */
  use<T>(work: (bytes: Buffer) => T): T {
    if (this.#isDestroyed) throw new Error('The secret was destroyed');
    return work(this.#bytes);
  }

  /** The text, for what takes nothing but strings. @throws Error after {@link destroy} */
  reveal(): string {
    return this.use((bytes) => bytes.toString('utf8'));
  }

  /** Overwrites the bytes with zeros; more calls change nothing. */
  destroy(): void {
    this.#bytes.fill(0);
    this.#isDestroyed = true;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
