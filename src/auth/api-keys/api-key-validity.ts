import { missingScope } from '../../access/assert-scope';
import { hasScope, type Principal } from '../../access/principal';
import type { Scope } from '../../access/scopes';
import { currentRequest } from '../../common/http/request-context';
import { noLongerValid } from './api-key.errors';
import type { ApiKeyEntity } from './api-key.entity';
import { endOf, type FoundApiKey } from './api-key-lookup';
import { principalOf } from './api-key-principal';
import { isStillProven } from './api-key-proof';

/**
 * Asserts that a key that was read again still has a scope: it may have been revoked, have expired, or have fewer
 * rights. The request's own key may have another secret, or may no longer be used from the client's address.
 *
 * @returns the key, and its current rights
 * @throws DomainError `unauthorized`, `forbidden`
 */
export function assertValid(
  key: FoundApiKey,
  scope: Scope,
): { key: Readonly<ApiKeyEntity>; principal: Principal } {
  if (typeof key === 'string' || endOf(key)) throw noLongerValid();
  const request = currentRequest();
  if (request?.keyId === key.id && !isStillProven(key, request)) throw noLongerValid();
  const principal = principalOf(key);
  if (!hasScope(principal, scope)) throw missingScope([scope]);
  return { key, principal };
}
