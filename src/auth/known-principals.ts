import { Injectable } from '@nestjs/common';
import { type Principal, ROOT } from '../access/principal';
import { Principals } from '../access/principals';
import type { Scope } from '../access/scopes';
import type { Eventually } from '../common/event-loop/eventually';
import { currentRequest } from '../common/http/request-context';
import { ApiKeyLookup, endOf } from './api-keys/api-key-lookup';
import { principalOf } from './api-keys/api-key-principal';
import { assertValid } from './api-keys/api-key-validity';

/** The holder of `API_KEY`, and the API keys in their current state. */
@Injectable()
export class KnownPrincipals extends Principals {
  constructor(private readonly lookup: ApiKeyLookup) {
    super();
  }

  find(id: string): Eventually<Principal | undefined> {
    return id === ROOT.id ? ROOT : this.findApiKey(id);
  }

  /** Reads the key again, see {@link assertValid}. */
  async assertStillValid(keyId: string, scope: Scope): Promise<void> {
    const { principal } = assertValid(await this.lookup.find(keyId), scope);
    const request = currentRequest();
    // The request continues with the current rights of the key, which may include fewer relayers.
    if (request?.principal?.id === keyId) request.principal = principal;
  }

  private async findApiKey(id: string): Promise<Principal | undefined> {
    const key = await this.lookup.find(id);
    return typeof key === 'string' || endOf(key) ? undefined : principalOf(key);
  }
}
