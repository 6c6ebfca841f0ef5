import { Injectable } from '@nestjs/common';
import { currentRequest, type RequestContext } from '../common/http/request-context';
import { assertScope } from './assert-scope';
import { currentPrincipal, hasScope } from './principal';
import { Principals } from './principals';
import type { Scope } from './scopes';

/**
 * The maximum age of the rights of a key, or of the state of a relayer, that a request relies on. If they are older
 * when the work begins, or when a key in memory signs, they are read again, because they may have been revoked since.
 * Even a busy service gets that far in less time, so a request that nothing delays needs no second read.
 */
export const MAX_DECISION_AGE_MS = 25;

/** Whether the rights of a request were read so long ago that its API key may have been revoked or narrowed since. */
export const isLate = ({ principalReadAt = -Infinity }: RequestContext): boolean =>
  performance.now() - principalReadAt > MAX_DECISION_AGE_MS;

/** Stops work for a request whose API key has been revoked or narrowed since the request began. */
@Injectable()
export class OngoingAccess {
  constructor(private readonly principals: Principals) {}

  /**
   * Must be called before each further step, and before the relayer is read again, because the key may reach fewer
   * relayers by then. Undefined if there is nothing to wait for: the root key is not revoked while the service runs,
   * and background work has no principal.
   *
   * In a unit of work, the key keeps these rights until its end: on servers, a revocation waits for that. So a change
   * calls this once it has locked its own row, before it waits for others, and only then decides what the key may do.
   *
   * @param scopes the one that the request has is checked, or the first
   * @throws DomainError `unauthorized`, `forbidden`, by rejecting the promise
   */
  recheck(...scopes: [Scope, ...Scope[]]): Promise<void> | undefined {
    const principal = currentPrincipal();
    if (principal?.kind !== 'api_key') return undefined;
    const held = scopes.find((scope) => hasScope(principal, scope));
    return this.principals.assertStillValid(principal.id, held ?? scopes[0]);
  }

  /**
   * Checks a right as {@link assertScope} does, for a call from a plugin's code: its request may have begun long ago, and
   * a timer continues a request that has ended.
   *
   * @param scopes any one of them is sufficient
   * @throws DomainError `unauthorized`, `forbidden`
   */
  async assert(...scopes: [Scope, ...Scope[]]): Promise<void> {
    assertScope(...scopes);
    await this.recheckIfLate(...scopes);
  }

  /**
   * Like {@link recheck}, for the first step: only checks if some time has passed since the rights were read. In a unit
   * of work, it is for a step after which nothing waits for another row.
   */
  recheckIfLate(...scopes: [Scope, ...Scope[]]): Promise<void> | undefined {
    const request = currentRequest();
    return request && isLate(request) ? this.recheck(...scopes) : undefined;
  }
}
