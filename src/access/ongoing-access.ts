import { Injectable } from '@nestjs/common';
import { currentRequest, type RequestContext } from '../common/http/request-context';
import { currentPrincipal } from './principal';
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
   * @throws DomainError `unauthorized`, `forbidden`, by rejecting the promise
   */
  recheck(scope: Scope): Promise<void> | undefined {
    const principal = currentPrincipal();
    return principal?.kind === 'api_key' ? this.principals.assertStillValid(principal.id, scope) : undefined;
  }

  /** Like {@link recheck}, for the first step: only checks if some time has passed since the rights were read. */
  recheckIfLate(scope: Scope): Promise<void> | undefined {
    const request = currentRequest();
    return request && isLate(request) ? this.recheck(scope) : undefined;
  }
}
