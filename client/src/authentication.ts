/** A request as it is about to be sent. */
export interface OutgoingRequest {
  /** In upper case. */
  method: string;
  /** Absolute, without a fragment. */
  url: string;
  body: string | undefined;
}

/** Proves to the service who makes a request. Asked again for each repetition of it. */
export interface Authentication {
  /** The headers to add. */
  headers: (request: OutgoingRequest) => Promise<Record<string, string>> | Record<string, string>;
}

/**
 * Authentication by an API key, as a bearer token (RFC 6750). White space around it, such as the end of a line, is dropped.
 *
 * @throws TypeError where no header can hold it: the error of `fetch` would show it
 */
export function bearer(apiKey: string): Authentication {
  const token = apiKey.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('apiKey must be visible ASCII characters');
  return { headers: () => ({ authorization: `Bearer ${token}` }) };
}
