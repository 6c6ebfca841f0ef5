import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { Request } from 'express';
import type { AppConfig } from '../config/app-config';

const CREDENTIALS = /^Bearer +([\x21-\x7e]+)$/i;
/** What is compared has this length at least, so that the time says nothing about the length of a key up to that. */
const MIN_COMPARED_BYTES = 512;

/**
 * Tells whether a request carries the API key (RFC 6750 §2.1): exactly one `Authorization` header of the
 * scheme Bearer. Keys are compared in constant time, filled up with zeros to one length; no key has a zero in it.
 */
@Injectable()
export class BearerAuthenticator {
  readonly #expected: Buffer;
  readonly #verdicts = new WeakMap<Request, boolean>();

  constructor(config: ConfigService<AppConfig, true>) {
    const key = config.get('apiKey', { infer: true }).reveal();
    this.#expected = filledUp(key, Math.max(key.length, MIN_COMPARED_BYTES));
  }

  isAuthenticated(request: Request): boolean {
    let verdict = this.#verdicts.get(request);
    if (verdict === undefined) {
      verdict = this.verify(request);
      this.#verdicts.set(request, verdict);
    }
    return verdict;
  }

  private verify(request: Request): boolean {
    const token = CREDENTIALS.exec(request.headers.authorization ?? '')?.[1];
    return token !== undefined && headerCount(request) === 1 && this.isKey(token);
  }

  private isKey(token: string): boolean {
    const { length } = this.#expected;
    return token.length <= length && timingSafeEqual(filledUp(token, length), this.#expected);
  }
}

/** Node keeps the first of repeated `Authorization` headers; only the raw list shows the others. */
function headerCount(request: Request): number {
  let count = 0;
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    if (request.rawHeaders[i]?.toLowerCase() === 'authorization') count += 1;
  }
  return count;
}

function filledUp(text: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write(text, 'latin1');
  return bytes;
}
