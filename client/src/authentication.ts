/** A request as it is about to be sent. */
export interface OutgoingRequest {
  /** In upper case. */
  method: string;
  /** Absolute, without a fragment. */
  url: string;
  body: string | undefined;
  /** The header `Idempotency-Key`, if the request has one. */
  idempotencyKey?: string;
}

/** Proves to the service who makes a request. It is used again for each retry of a request. */
export interface Authentication {
  /** The headers to add. */
  headers: (request: OutgoingRequest) => Promise<Record<string, string>> | Record<string, string>;
}

/**
 * Authentication with an API key as a bearer token (RFC 6750). Surrounding white space, such as a trailing line break,
 * is removed.
 *
 * @throws TypeError if it cannot be part of a header, because the error of `fetch` would contain it
 */
export function bearer(apiKey: string): Authentication {
  const token = apiKey.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('apiKey must be visible ASCII characters');
  return { headers: () => ({ authorization: `Bearer ${token}` }) };
}
