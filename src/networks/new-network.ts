import { invalidRequest } from '../common/errors/domain-error';
import type { NetworkType } from '../chains/network-type';
import type { NetworkFields } from './dto/network-fields.dto';
import { toStoredFees } from './dto/network-fees.dto';
import { withWeights } from './dto/rpc-url.dto';
import type { NetworkEntity } from './network.entity';
import type { RpcUrl } from './rpc-urls';

/** A network to store. */
export interface NewNetwork
  extends Omit<NetworkEntity, keyof NetworkUrls | 'mac' | 'createdBy' | 'createdAt'>, NetworkUrls {}

/** The endpoints of a network, decrypted. */
export interface NetworkUrls {
  /** Empty if the network is for signing only. */
  rpcUrls: RpcUrl[];
  /** Empty if nothing can be sent privately. */
  privateRpcUrls: RpcUrl[];
}

/** Fields that only networks of one type have. */
const OWN_FIELDS = {
  chain_id: 'evm',
  rpc_methods: 'evm',
  private_rpc_urls: 'evm',
  private_fallback_blocks: 'evm',
  fees: 'evm',
  passphrase: 'stellar',
  horizon_url: 'stellar',
} as const;

/** The type and name in the id of a network; see {@link networkId}. */
export function nameOf(id: string): { network_type: string; network: string } {
  const end = id.indexOf(':');
  return { network_type: id.slice(0, end), network: id.slice(end + 1) };
}

export const networkId = (networkType: NetworkType, name: string): string => `${networkType}:${name}`;

/**
 * Converts the fields of a network to their stored form.
 *
 * @throws DomainError `invalid_request` for a missing field that its type requires, or a field that its type does not
 * have
 */
export function toNewNetwork(networkType: NetworkType, name: string, fields: NetworkFields): NewNetwork {
  assertFieldsOfType(networkType, fields);
  return {
    id: networkId(networkType, name),
    name,
    networkType,
    chainId: fields.chain_id?.toString() ?? null,
    symbol: fields.symbol ?? null,
    requiredConfirmations: fields.required_confirmations ?? null,
    averageBlocktimeMs: fields.average_blocktime_ms ?? null,
    isTestnet: fields.is_testnet ?? null,
    features: fields.features ?? [],
    tags: fields.tags ?? [],
    explorerUrls: fields.explorer_urls ?? [],
    rpcUrls: withWeights(fields.rpc_urls ?? []),
    privateRpcUrls: withWeights(fields.private_rpc_urls ?? []),
    privateFallbackBlocks: fields.private_fallback_blocks ?? null,
    fees: toStoredFees(fields.fees),
    rpcMethods: fields.rpc_methods ?? null,
    passphrase: fields.passphrase ?? null,
    horizonUrl: fields.horizon_url ?? null,
  };
}

/** @throws DomainError `invalid_request` for a field that only networks of another type have */
export function assertFieldsOwnedBy(
  networkType: NetworkType,
  fields: Partial<Record<keyof typeof OWN_FIELDS, unknown>>,
): void {
  for (const [field, owner] of Object.entries(OWN_FIELDS)) {
    const value = fields[field as keyof typeof OWN_FIELDS];
    const given = value !== undefined && value !== null;
    if (given && owner !== networkType)
      throw invalidRequest(`${field} must not be given for networks of type ${networkType}`);
  }
}

/** Whether only the name is known, as for a network that a migration created because a relayer referred to it. */
export function isBare(network: NetworkEntity): boolean {
  const { chainId, symbol, requiredConfirmations, averageBlocktimeMs, isTestnet } = network;
  const { rpcUrls, privateRpcUrls, privateFallbackBlocks, fees } = network;
  const { features, tags, explorerUrls, rpcMethods, passphrase, horizonUrl } = network;
  const values = [chainId, symbol, requiredConfirmations, averageBlocktimeMs, isTestnet, fees, passphrase];
  const ways = [rpcUrls, privateRpcUrls, privateFallbackBlocks, rpcMethods, horizonUrl];
  return (
    [...values, ...ways].every((value) => value === null) &&
    [features, tags, explorerUrls].every((list) => list.length === 0)
  );
}

function assertFieldsOfType(networkType: NetworkType, fields: NetworkFields): void {
  assertFieldsOwnedBy(networkType, fields);
  if (networkType === 'evm' && typeof fields.chain_id !== 'number')
    throw invalidRequest('chain_id is required for networks of type evm');
}
