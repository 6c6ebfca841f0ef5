import type { AuditEntry } from '../audit/audit-entry';
import { type AuditedFields, changedFields, redacted } from '../audit/changed-fields';
import type { RelayerEntity } from './relayer.entity';

type Relayer = Readonly<Omit<RelayerEntity, 'mac'>>;

/** URLs are redacted, because they contain keys of providers. */
const fieldsOf = (relayer: Relayer): AuditedFields => ({
  name: relayer.name,
  group: relayer.group,
  network: relayer.network,
  network_type: relayer.networkType,
  address: relayer.address,
  chain_id: relayer.chainId,
  signer_id: relayer.signerId,
  notification_id: relayer.notificationId,
  paused: relayer.paused,
  custom_rpc_urls: redacted(relayer.customRpcUrls),
  policies: relayer.policies,
});

export function relayerCreated(relayer: Relayer): AuditEntry {
  const { id: relayerId, signerId } = relayer;
  const changes = changedFields(null, fieldsOf(relayer));
  return { action: 'relayer.create', relayerId, signerId, changes };
}

/**
 * Undefined if no recorded field has changed.
 *
 * @param isPausedAgain whether a request has paused a paused relayer, which is recorded too
 */
export function relayerUpdated(
  before: Relayer,
  after: Relayer,
  isPausedAgain = false,
): AuditEntry | undefined {
  const { id: relayerId, signerId } = after;
  const fields = { ...fieldsOf(after), ...(isPausedAgain && { paused_again: true }) };
  const changes = changedFields(fieldsOf(before), fields);
  if (Object.keys(changes).length === 0) return undefined;
  return { action: 'relayer.update', relayerId, signerId, changes };
}

/** @param relayer undefined if its row was altered */
export function relayerDeleted(relayerId: string, relayer: Relayer | undefined): AuditEntry {
  if (!relayer) return { action: 'relayer.delete', relayerId };
  const { signerId } = relayer;
  const changes = changedFields(fieldsOf(relayer), null);
  return { action: 'relayer.delete', relayerId, signerId, changes };
}
