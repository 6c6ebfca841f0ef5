import type { Eventually } from '../common/event-loop/eventually';
import type { Principal } from './principal';
import type { Scope } from './scopes';

/** Whether a principal still has the rights that it had when its request began. */
export abstract class PrincipalStatus {
  /**
   * Call it repeatedly during long work, which must stop if the key was revoked, expired or narrowed.
   *
   * @throws DomainError `unauthorized`, `forbidden`
   */
  abstract assertStillValid(principal: Principal, scope: Scope): Eventually<void>;
}
