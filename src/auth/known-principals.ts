import { Injectable } from '@nestjs/common';
import { type Principal, ROOT } from '../access/principal';
import { Principals } from '../access/principals';
import type { Eventually } from '../common/event-loop/eventually';
import { ApiKeyLookup, endOf } from './api-keys/api-key-lookup';
import { principalOf } from './api-keys/api-key-principal';

/** The holder of `API_KEY`, and the API keys in their current state. */
@Injectable()
export class KnownPrincipals extends Principals {
  constructor(private readonly lookup: ApiKeyLookup) {
    super();
  }

  find(id: string): Eventually<Principal | undefined> {
    return id === ROOT.id ? ROOT : this.findApiKey(id);
  }

  private async findApiKey(id: string): Promise<Principal | undefined> {
    const key = await this.lookup.find(id);
    return typeof key === 'string' || endOf(key) ? undefined : principalOf(key);
  }
}
