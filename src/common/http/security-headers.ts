import type { Request, Response } from 'express';

/** Headers of every response, which tell browsers not to treat or embed it as a page (OWASP REST Security Cheat Sheet). */
export const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
];

/** For the OpenAPI pages, which have inline styles. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A year (RFC 6797). Sent only if a trusted proxy says that the request came over TLS. */
const STRICT_TRANSPORT = 'max-age=31536000';

export function setSecurityHeaders(request: Request, response: Response): void {
  for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
  if (request.headers['x-forwarded-proto'] !== undefined && request.secure)
    response.setHeader('strict-transport-security', STRICT_TRANSPORT);
}
