import type { NextFunction, Request, Response } from 'express';
import { DomainError, invalidRequest } from '../errors/domain-error';
import { headerCount } from './header-count';

/** Responses are never cached, so they are never "not modified", and none is long enough to be sent in parts. */
const IGNORED = [
  ...['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since'],
  ...['range', 'if-range'],
];

/**
 * Express middleware that checks the requirements of HTTP/1.1 on every request (RFC 9112, 3.2; RFC 9110, 10.1.1). It
 * removes conditional headers and ranges, which the RFC allows (13.1, 14.2): Express alone would respond with 304 to
 * `If-None-Match: *`, and fail for a range beyond the end.
 */
export function checkRequest(request: Request, _response: Response, next: NextFunction): void {
  const { headers } = request;
  if (request.httpVersionMinor > 0) {
    if (headerCount(request, 'host') !== 1) throw invalidRequest('exactly one Host header is required');
    if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
      throw new DomainError('expectation_failed', 'Expectation Failed', 'Expect must be 100-continue');
  }
  for (const name of IGNORED) if (headers[name] !== undefined) Reflect.deleteProperty(headers, name);
  next();
}

/** Whether the client waits for `100 Continue` before it sends the body. */
export const awaitsContinue = (request: Request): boolean =>
  request.headers.expect !== undefined && request.httpVersionMinor > 0;
