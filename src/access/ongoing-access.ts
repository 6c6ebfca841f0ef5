import { Injectable } from '@nestjs/common';
import { currentPrincipal, type Principal } from './principal';
import { PrincipalStatus } from './principal-status';
import type { Scope } from './scopes';

/** Ends the work of a request whose API key was revoked or narrowed since it began. */
@Injectable()
export class OngoingAccess {
  constructor(private readonly status: PrincipalStatus) {}

  /**
   * To be called before each further step, and before the relayer is read again, since the key may reach less by now. Undefined where there is nothing to wait for: the root key is not revoked while the
   * service runs, and background work has no principal.
   *
   * @throws DomainError `unauthorized`, `forbidden`, by the promise
   */
  recheck(scope: Scope): Promise<void> | undefined {
    const principal = currentPrincipal();
    return principal?.kind === 'api_key' ? this.assertValid(principal, scope) : undefined;
  }

  private async assertValid(principal: Principal, scope: Scope): Promise<void> {
    await this.status.assertStillValid(principal, scope);
  }
}
