import type { Request, Response } from 'express';

/**
 * The headers of every response, which instruct browsers not to treat or embed it as a page (OWASP REST Security Cheat
 * Sheet).
 */
export const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
];

/** The policy for the OpenAPI pages, which have inline styles. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** One year (RFC 6797). Sent only if a trusted proxy reports that the request came over TLS. */
const STRICT_TRANSPORT = 'max-age=31536000';

export function setSecurityHeaders(request: Request, response: Response): void {
  for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
  if (request.headers['x-forwarded-proto'] !== undefined && request.secure)
    response.setHeader('strict-transport-security', STRICT_TRANSPORT);
}
