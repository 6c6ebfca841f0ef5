import type { Eventually } from '../common/event-loop/eventually';
import type { Principal } from './principal';
import type { Scope } from './scopes';

/** Whether a principal may still do what it began: for work that takes longer than a look at its credentials. */
export abstract class PrincipalStatus {
  /** @throws DomainError `unauthorized`, `forbidden` */
  abstract assertStillValid(principal: Principal, scope: Scope): Eventually<void>;
}
