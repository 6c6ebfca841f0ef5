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

/** Authentication by an API key, as a bearer token (RFC 6750). */
export const bearer = (apiKey: string): Authentication => ({
  headers: () => ({ authorization: `Bearer ${apiKey}` }),
});
