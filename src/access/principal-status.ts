import type { Eventually } from '../common/event-loop/eventually';
import type { Principal } from './principal';
import type { Scope } from './scopes';

/** Checks whether a principal still has the rights that it had when its request began. */
export abstract class PrincipalStatus {
  /**
   * Must be called repeatedly during long work, which must stop if the key has been revoked, expired or narrowed.
   *
   * @throws DomainError `unauthorized`, `forbidden`
   */
  abstract assertStillValid(principal: Principal, scope: Scope): Eventually<void>;
}
