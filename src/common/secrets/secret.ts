import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * A string that must not be seen: a key, a token, a passphrase. Printing, JSON and inspection all give
 * `[redacted]`; only {@link reveal} gives the text, so every use of it can be found by name.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
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
