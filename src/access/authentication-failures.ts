/** Why credentials were refused: for the audit log, never for the response. */
export type AuthenticationFailureCause =
  /** More than one header, or one of another form; a key with a wrong checksum. */
  | 'malformed'
  /** The token is neither a root key nor has the form of an API key. */
  | 'unknown_token'
  | 'unknown_key'
  | 'wrong_secret'
  | 'revoked'
  | 'expired'
  /** The client address is none of the key's `allowed_ips`. */
  | 'address'
  /** The stored key was altered outside of the service. */
  | 'altered'
  /** A signature that is too old or from the future. */
  | 'bad_time'
  | 'bad_signature'
  /** The body is not the one that was signed. */
  | 'bad_digest'
  /** The nonce was used before. */
  | 'replayed';

export interface AuthenticationFailure {
  cause: AuthenticationFailureCause;
  /** As the caller claims. */
  keyId?: string;
  clientAddress?: string;
}

/** Records why credentials were refused. It must not throw, and must not take long. */
export abstract class AuthenticationFailures {
  abstract record(failure: AuthenticationFailure): void;
}
