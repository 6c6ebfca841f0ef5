import type { AuditAction } from '../audit/audit-action';
import type { AuditEntry } from '../audit/audit-entry';
import { type AuditedFields, changesOf, redacted } from '../audit/changed-fields';
import { maskUrl } from '../common/validation/http-url';
import type { NetworkEntity } from './network.entity';

type Network = Readonly<Omit<NetworkEntity, 'mac'>>;

/** URLs are redacted, because they contain keys of providers. */
const fieldsOf = (network: Network): AuditedFields => ({
  name: network.name,
  network_type: network.networkType,
  chain_id: network.chainId,
  symbol: network.symbol,
  required_confirmations: network.requiredConfirmations,
  average_blocktime_ms: network.averageBlocktimeMs,
  is_testnet: network.isTestnet,
  features: network.features,
  tags: network.tags,
  explorer_urls: network.explorerUrls,
  rpc_urls: redacted(network.rpcUrls),
  private_rpc_urls: redacted(network.privateRpcUrls),
  private_fallback_blocks: network.privateFallbackBlocks,
  fees: network.fees,
  rpc_methods: network.rpcMethods,
  passphrase: network.passphrase,
  horizon_url: redacted(network.horizonUrl, network.horizonUrl === null ? '' : maskUrl(network.horizonUrl)),
});

/**
 * The audit entry for a change of a network.
 *
 * @param before null if the network is created
 * @param after null if it is deleted
 */
function entry(action: AuditAction, id: string, before: Network | null, after: Network | null): AuditEntry {
  return { action, changes: changesOf(id, before && fieldsOf(before), after && fieldsOf(after)) };
}

export const networkCreated = (network: Network): AuditEntry =>
  entry('network.create', network.id, null, network);

export const networkUpdated = (before: Network, after: Network): AuditEntry =>
  entry('network.update', after.id, before, after);

/** @param network undefined if its row was altered */
export const networkDeleted = (id: string, network: Network | undefined): AuditEntry =>
  network
    ? entry('network.delete', id, network, null)
    : { action: 'network.delete', changes: changesOf(id, {}, null) };
