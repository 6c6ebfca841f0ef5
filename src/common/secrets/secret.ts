import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * Text that must not be shown: a key, a token, a passphrase. Printing, JSON and inspection all yield `[redacted]`; only
 * {@link use} and {@link reveal} expose it, so that every use can be found by name.
 *
 * It is stored in a separate buffer (UTF-8), which {@link destroy} overwrites. A string would stay in memory until it
 * is garbage-collected, and in copies of the heap, so code that can work on bytes should do so.
 */
export class Secret {
  readonly #bytes: Buffer;
  #isDestroyed = false;

  /** @param value a buffer, which the secret then owns, or a string, which is copied */
  constructor(value: string | Buffer) {
    if (typeof value !== 'string') {
      this.#bytes = value;
      return;
    }
    // `alloc` does not use Node's shared pool for small buffers.
    this.#bytes = Buffer.alloc(Buffer.byteLength(value, 'utf8'));
    this.#bytes.write(value, 'utf8');
  }

  /**
   * Runs `work` on the bytes, which it must not modify or retain.
   *
   * @throws Error after {@link destroy}
   */
  use<T>(work: (bytes: Buffer) => T): T {
    if (this.#isDestroyed) throw new Error('The secret was destroyed');
    return work(this.#bytes);
  }

  /** The text, for code that accepts only strings. @throws Error after {@link destroy} */
  reveal(): string {
    return this.use((bytes) => bytes.toString('utf8'));
  }

  /** Overwrites the bytes with zeros. Further calls have no effect. */
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
