import type { Eventually } from '../common/event-loop/eventually';
import type { Principal } from './principal';
import type { Scope } from './scopes';

/** Principals with their current rights. */
export abstract class Principals {
  /** For work that is done after the request that caused it. Undefined if it may no longer make requests. */
  abstract find(id: string): Eventually<Principal | undefined>;

  /**
   * Asserts that an API key still has the rights that it had when its request began. Must be called repeatedly during
   * long work, which must stop if the key has been revoked, expired or narrowed.
   *
   * @throws DomainError `unauthorized`, `forbidden`
   */
  abstract assertStillValid(keyId: string, scope: Scope): Promise<void>;
}
