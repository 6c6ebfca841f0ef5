import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { Request } from 'express';
import type { AppConfig } from '../../config/app-config';

const CREDENTIALS = /^Bearer +([\x21-\x7e]+)$/i;

/**
 * Tells whether a request carries the API key (RFC 6750 §2.1): exactly one `Authorization` header of the
 * scheme Bearer. Keys are compared as digests of one length, in constant time.
 */
@Injectable()
export class BearerAuthenticator {
  readonly #expected: Buffer;
  readonly #verdicts = new WeakMap<Request, boolean>();

  constructor(config: ConfigService<AppConfig, true>) {
    this.#expected = digest(config.get('apiKey', { infer: true }).reveal());
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
    return (
      token !== undefined && headerCount(request) === 1 && timingSafeEqual(digest(token), this.#expected)
    );
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

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
