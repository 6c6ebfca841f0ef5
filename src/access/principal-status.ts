import type { Eventually } from '../common/event-loop/eventually';
import type { Principal } from './principal';
import type { Scope } from './scopes';

/** Whether a principal is still what it was when its request began. */
export abstract class PrincipalStatus {
  /**
   * To be called for work that lasts: a key that was revoked, has expired or was narrowed must not go on.
   *
   * @throws DomainError `unauthorized`, `forbidden`
   */
  abstract assertStillValid(principal: Principal, scope: Scope): Eventually<void>;
}
