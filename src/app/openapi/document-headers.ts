import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations';

const integer = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

/** Response headers, as components. */
const HEADERS = {
  RequestId: {
    description: 'The id of the request, as in the log: the one that the client sent, if it is well formed.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  WwwAuthenticate: { description: 'How to authenticate.', schema: { type: 'string', pattern: '^Bearer$' } },
  RetryAfter: integer('After how many seconds to retry; absent if not known.'),
  RateLimitLimit: integer('Requests that may be sent at once; absent if the URL is malformed.'),
  RateLimitRemaining: integer('How many of these requests are left.'),
  RateLimitReset: integer('Seconds until the whole allowance is back.'),
};

type HeaderName = keyof typeof HEADERS;

const ref = (name: HeaderName): object => ({ $ref: `#/components/headers/${name}` });

const LIMITS = {
  'X-RateLimit-Limit': ref('RateLimitLimit'),
  'X-RateLimit-Remaining': ref('RateLimitRemaining'),
  'X-RateLimit-Reset': ref('RateLimitReset'),
};

/** Adds headers that clients may use to every response that has them. */
export function documentHeaders(document: OpenAPIObject): void {
  Object.assign((document.components ??= {}), { headers: HEADERS });
  for (const { security, responses } of operationsOf(document)) {
    const needsToken = security !== undefined && security.length > 0;
    for (const [status, response] of Object.entries(responses)) {
      Object.assign(response as object, {
        headers: {
          'X-Request-Id': ref('RequestId'),
          ...(status === '401' && { 'WWW-Authenticate': ref('WwwAuthenticate') }),
          ...((status === '429' || status === '503') && { 'Retry-After': ref('RetryAfter') }),
          ...(needsToken && status !== '429' && status !== '413' && LIMITS),
        },
      });
    }
  }
}
