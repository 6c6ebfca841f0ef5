/** Why credentials were refused. It is recorded in the audit log, but never part of the response. */
export type AuthenticationFailureCause =
  /** More than one header, or one of another form; or a key with a wrong checksum. */
  | 'malformed'
  /** The token is not a root key, and does not have the form of an API key. */
  | 'unknown_token'
  | 'unknown_key'
  | 'wrong_secret'
  | 'revoked'
  | 'expired'
  /** The client address is not in the key's `allowed_ips`. */
  | 'address'
  /** Something other than the service has altered the stored key. */
  | 'altered'
  /** The signature is too old or from the future. */
  | 'bad_time'
  | 'bad_signature'
  /** The body is not the one that was signed. */
  | 'bad_digest'
  /** The nonce has been used before. */
  | 'replayed';

export interface AuthenticationFailure {
  cause: AuthenticationFailureCause;
  /** The key id that the caller claims. */
  keyId?: string;
  clientAddress?: string;
}

/** Records why credentials were refused. Implementations must not throw, and must return quickly. */
export abstract class AuthenticationFailures {
  abstract record(failure: AuthenticationFailure): void;
}
