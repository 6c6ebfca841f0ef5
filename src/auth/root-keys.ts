import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../config/app-config';

/** The minimum length of a comparison, so that its timing does not reveal the length of a shorter key. */
const MIN_COMPARED_BYTES = 512;

/**
 * The keys in `API_KEY`. Tokens are compared with all of them in constant time, padded with zero bytes to the same
 * length; keys contain no zero bytes.
 */
@Injectable()
export class RootKeys {
  readonly #expected: readonly Buffer[];
  readonly #length: number;

  constructor(config: ConfigService<AppConfig, true>) {
    const keys = config.get('apiKeys', { infer: true }).map((key) => key.reveal());
    this.#length = Math.max(MIN_COMPARED_BYTES, ...keys.map(({ length }) => length));
    this.#expected = keys.map((key) => padded(key, this.#length));
  }

  /** Whether a token is one of the keys. */
  include(token: string): boolean {
    if (token.length > this.#length) return false;
    const compared = padded(token, this.#length);
    let isKey = false;
    for (const key of this.#expected) isKey = timingSafeEqual(compared, key) || isKey;
    return isKey;
  }
}

function padded(text: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write(text, 'latin1');
  return bytes;
}
