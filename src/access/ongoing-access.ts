import { Injectable } from '@nestjs/common';
import { currentPrincipal, type Principal } from './principal';
import { PrincipalStatus } from './principal-status';
import type { Scope } from './scopes';

/** Stops a request whose API key was revoked or narrowed after it began. */
@Injectable()
export class OngoingAccess {
  constructor(private readonly status: PrincipalStatus) {}

  /**
   * Call it before each further step, and before the relayer is read again, because the key may reach fewer relayers by
   * now. Undefined if there is nothing to wait for: the root key is not revoked while the service runs, and background
   * work has no principal.
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
