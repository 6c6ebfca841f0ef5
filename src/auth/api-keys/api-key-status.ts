import { Injectable } from '@nestjs/common';
import { missingScope } from '../../access/assert-scope';
import { hasScope, type Principal } from '../../access/principal';
import { PrincipalStatus } from '../../access/principal-status';
import type { Scope } from '../../access/scopes';
import { currentRequest } from '../../common/http/request-context';
import type { Eventually } from '../../common/event-loop/eventually';
import { noLongerValid } from './api-key.errors';
import { ApiKeyLookup, endOf } from './api-key-lookup';
import { principalOf } from './api-key-principal';
import { isStillProven } from './api-key-proof';

/**
 * Reads the key again: it may have been revoked, have expired, or have fewer rights. The request's own key may have
 * another secret, or may no longer be used from the client's address.
 */
@Injectable()
export class ApiKeyStatus extends PrincipalStatus {
  constructor(private readonly lookup: ApiKeyLookup) {
    super();
  }

  /** Returns no promise for the root key, which is valid for as long as the process runs. */
  assertStillValid(principal: Principal, scope: Scope): Eventually<void> {
    return principal.kind === 'root' ? undefined : this.assertKeyValid(principal.id, scope);
  }

  private async assertKeyValid(id: string, scope: Scope): Promise<void> {
    const key = await this.lookup.find(id);
    const request = currentRequest();
    if (typeof key === 'string' || endOf(key)) throw noLongerValid();
    if (request?.keyId === id && !isStillProven(key, request)) throw noLongerValid();
    const now = principalOf(key);
    if (!hasScope(now, scope)) throw missingScope([scope]);
    // The request continues with the current rights of the key, which may include fewer relayers.
    if (request?.principal?.id === id) request.principal = now;
  }
}
