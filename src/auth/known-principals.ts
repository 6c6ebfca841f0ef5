import { Injectable } from '@nestjs/common';
import { missingScope } from '../access/assert-scope';
import { hasScope, type Principal, ROOT } from '../access/principal';
import { Principals } from '../access/principals';
import type { Scope } from '../access/scopes';
import type { Eventually } from '../common/event-loop/eventually';
import { currentRequest } from '../common/http/request-context';
import { noLongerValid } from './api-keys/api-key.errors';
import { ApiKeyLookup, endOf } from './api-keys/api-key-lookup';
import { principalOf } from './api-keys/api-key-principal';
import { isStillProven } from './api-keys/api-key-proof';

/** The holder of `API_KEY`, and the API keys in their current state. */
@Injectable()
export class KnownPrincipals extends Principals {
  constructor(private readonly lookup: ApiKeyLookup) {
    super();
  }

  find(id: string): Eventually<Principal | undefined> {
    return id === ROOT.id ? ROOT : this.findApiKey(id);
  }

  /**
   * Reads the key again: it may have been revoked, have expired, or have fewer rights. The request's own key may have
   * another secret, or may no longer be used from the client's address.
   */
  async assertStillValid(keyId: string, scope: Scope): Promise<void> {
    const key = await this.lookup.find(keyId);
    const request = currentRequest();
    if (typeof key === 'string' || endOf(key)) throw noLongerValid();
    if (request?.keyId === keyId && !isStillProven(key, request)) throw noLongerValid();
    const now = principalOf(key);
    if (!hasScope(now, scope)) throw missingScope([scope]);
    // The request continues with the current rights of the key, which may include fewer relayers.
    if (request?.principal?.id === keyId) request.principal = now;
  }

  private async findApiKey(id: string): Promise<Principal | undefined> {
    const key = await this.lookup.find(id);
    return typeof key === 'string' || endOf(key) ? undefined : principalOf(key);
  }
}
