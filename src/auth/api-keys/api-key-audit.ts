import type { AuditAction } from '../../audit/audit-action';
import type { AuditEntry } from '../../audit/audit-entry';
import { type AuditedFields, changesOf, redacted } from '../../audit/changed-fields';
import type { ApiKeyEntity } from './api-key.entity';

type ApiKey = Readonly<Omit<ApiKeyEntity, 'mac'>>;

/** The hash of the secret is redacted: it reveals nothing, but is of no use to readers either. */
const fieldsOf = (key: ApiKey): AuditedFields => ({
  name: key.name,
  secret: redacted(key.secretHash),
  previous_valid_until: key.previousValidUntil,
  public_key: key.publicKey,
  scopes: key.scopes,
  relayers: key.relayers,
  groups: key.groups,
  allowed_ips: key.allowedIps,
  rate_limit: key.rateLimit,
  expires_at: key.expiresAt,
});

/**
 * The audit entry for a change of a key. The id of the changed key is in `changes`; `key_id` is the key that made the
 * change.
 *
 * @param before null if the key is created
 * @param after null if it is revoked
 */
export const apiKeyEntry = (
  action: AuditAction,
  id: string,
  before: ApiKey | null,
  after: ApiKey | null,
): AuditEntry => ({ action, changes: changesOf(id, before && fieldsOf(before), after && fieldsOf(after)) });
