import type { Principal } from '../../access/principal';
import { getOrCreate } from '../../common/get-or-create';
import type { ApiKeyEntity } from './api-key.entity';

/** Unchanged rows are the same objects, so their principals can be reused. */
const principals = new WeakMap<Readonly<ApiKeyEntity>, Principal>();

/** The principal of a key. */
export function principalOf(key: Readonly<ApiKeyEntity>): Principal {
  return getOrCreate(principals, key, () => {
    const { id, scopes, relayers, groups, rateLimit } = key;
    return {
      id,
      kind: 'api_key',
      scopes: new Set(scopes),
      reach: relayers || groups ? { relayers: new Set(relayers), groups: new Set(groups) } : undefined,
      rateLimit: rateLimit ?? undefined,
    };
  });
}
