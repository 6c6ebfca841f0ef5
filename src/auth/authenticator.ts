import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { Request } from 'express';
import type { Eventually } from '../common/event-loop/eventually';
import { type Principal, ROOT } from '../access/principal';
import type { AppConfig } from '../config/app-config';

const CREDENTIALS = /^Bearer +([\x21-\x7e]+)$/i;
/** Tokens are compared at this length at least, so that the time reveals nothing about the length of a shorter key. */
const MIN_COMPARED_BYTES = 512;

/**
 * Finds the principal of a request by its bearer token (RFC 6750 §2.1): exactly one `Authorization` header of the
 * scheme Bearer. Tokens are compared in constant time, padded with zeros to one length; no key has a zero in it.
 */
@Injectable()
export class Authenticator {
  readonly #expected: Buffer;
  readonly #results = new WeakMap<Request, { principal: Eventually<Principal | undefined> }>();

  constructor(config: ConfigService<AppConfig, true>) {
    const key = config.get('apiKey', { infer: true }).reveal();
    this.#expected = padded(key, Math.max(key.length, MIN_COMPARED_BYTES));
  }

  /** Does the work once per request, however often it is called. Undefined where no credentials or invalid ones were sent. */
  authenticate(request: Request): Eventually<Principal | undefined> {
    let result = this.#results.get(request);
    if (!result) {
      result = { principal: this.verify(request) };
      this.#results.set(request, result);
    }
    return result.principal;
  }

  private verify(request: Request): Eventually<Principal | undefined> {
    const token = CREDENTIALS.exec(request.headers.authorization ?? '')?.[1];
    return token !== undefined && headerCount(request) === 1 && this.isKey(token) ? ROOT : undefined;
  }

  private isKey(token: string): boolean {
    const { length } = this.#expected;
    return token.length <= length && timingSafeEqual(padded(token, length), this.#expected);
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

function padded(text: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write(text, 'latin1');
  return bytes;
}
