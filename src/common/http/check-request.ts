import type { NextFunction, Request, Response } from 'express';
import { DomainError, invalidRequest } from '../errors/domain-error';
import { headerCount } from './header-count';

/** Responses are never cached, so nothing is ever "not modified". */
const CONDITIONS = ['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range'];

/**
 * Express middleware that checks what HTTP/1.1 requires of every request (RFC 9112, 3.2; RFC 9110, 10.1.1). Conditional headers are
 * removed, as it allows (13.1): Express alone would respond with 304 to `If-None-Match: *`.
 */
export function checkRequest(request: Request, _response: Response, next: NextFunction): void {
  const { headers } = request;
  if (request.httpVersionMinor > 0) {
    if (headerCount(request, 'host') !== 1) throw invalidRequest('exactly one Host header is required');
    if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
      throw new DomainError('expectation_failed', 'Expectation Failed', 'Expect must be 100-continue');
  }
  for (const condition of CONDITIONS)
    if (headers[condition] !== undefined) Reflect.deleteProperty(headers, condition);
  next();
}

/** Whether the client waits for `100 Continue` before it sends the body. */
export const awaitsContinue = (request: Request): boolean =>
  request.headers.expect !== undefined && request.httpVersionMinor > 0;
