import { Injectable } from '@nestjs/common';
import type { AuthenticationFailureCause } from '../../access/authentication-failures';
import type { Principal } from '../../access/principal';
import { isAddressAllowed } from './allowed-addresses';
import type { ApiKeyEntity } from './api-key.entity';
import { ApiKeyLookup, endOf } from './api-key-lookup';
import { principalOf } from './api-key-principal';
import { hasHash, keepProof } from './api-key-proof';
import { hashOfApiKey } from './api-key-text';
import { ApiKeyUse } from './api-key-use';

/** Finds the principal of an API key that was sent as a bearer token. */
@Injectable()
export class ApiKeyAuthentication {
  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly use: ApiKeyUse,
  ) {}

  /**
   * @param id the id in the text, not yet verified
   * @param text the whole key
   * @returns the principal, or why the key is refused; an unknown id takes as long as a wrong secret
   */
  async authenticate(
    id: string,
    text: string,
    clientAddress: string | undefined,
  ): Promise<Principal | AuthenticationFailureCause> {
    const hash = hashOfApiKey(text);
    const found = await this.lookup.find(id);
    const key = typeof found === 'string' ? undefined : found;
    const isRight = hasHash(key, hash);
    if (typeof found === 'string') return found;
    if (!isRight) return 'wrong_secret';
    keepProof(hash);
    return this.admit(found, clientAddress);
  }

  /** Checks the current state of a key again, for a caller who proved possession of it earlier. */
  async admitAgain(
    id: string,
    clientAddress: string | undefined,
  ): Promise<Principal | AuthenticationFailureCause> {
    const found = await this.lookup.find(id);
    return typeof found === 'string' ? found : this.admit(found, clientAddress);
  }

  /** Checks the state of a key, for a caller who has proved possession of it. */
  admit(
    key: Readonly<ApiKeyEntity>,
    clientAddress: string | undefined,
  ): Principal | AuthenticationFailureCause {
    const end = endOf(key);
    if (end) return end;
    if (key.allowedIps && !isAddressAllowed(key.allowedIps, clientAddress)) return 'address';
    this.use.record(key.id);
    return principalOf(key);
  }
}
