import { isDeepStrictEqual } from 'node:util';
import type { Secret } from '../../common/secrets/secret';
import { withWeights } from '../../networks/dto/rpc-url.dto';
import type { NetworkEntity } from '../../networks/network.entity';
import type { NetworkUrls, NewNetwork } from '../../networks/new-network';
import type { RpcUrl } from '../../networks/rpc-urls';
import type { NotificationEntity } from '../../notifications/notification.entity';
import { parsePolicies } from '../../relayers/policies/policies';
import type { RelayerEntity } from '../../relayers/relayer.entity';
import type { ConfiguredNotificationDto, ConfiguredRelayerDto } from '../file/config-file.dto';

/** The fields in which a stored relayer differs from the configured one. */
export function relayerDifferences(
  configured: ConfiguredRelayerDto,
  stored: RelayerEntity,
  storedUrls: RpcUrl[] | undefined,
): string[] {
  return differing({
    name: [configured.name, stored.name],
    group: [configured.group ?? null, stored.group],
    network: [configured.network, stored.network],
    network_type: [configured.network_type, stored.networkType],
    signer_id: [configured.signer_id, stored.signerId],
    notification_id: [configured.notification_id ?? null, stored.notificationId],
    paused: [configured.paused, stored.paused],
    policies: [parsePolicies(configured.network_type, configured.policies ?? {}), stored.policies],
    custom_rpc_urls: [
      configured.custom_rpc_urls ? withWeights(configured.custom_rpc_urls) : undefined,
      storedUrls,
    ],
  });
}

/** The URL and the signing key of a notification. */
interface NotificationSecrets {
  url: string;
  /** Undefined if there is none, or it cannot be read. */
  signingKey: Secret | undefined;
}

/**
 * The fields in which a stored notification differs from the configured one. Of a key that cannot be read, only its
 * presence is compared: once a notification is stored, the variable that the file names may be removed.
 */
export function notificationDifferences(
  configured: ConfiguredNotificationDto,
  stored: NotificationEntity,
  { url, signingKey }: NotificationSecrets,
  configuredKey: Secret | undefined,
): string[] {
  const keys: [unknown, unknown] =
    configuredKey && signingKey
      ? [configuredKey.reveal(), signingKey.reveal()]
      : [Boolean(configured.signing_key), stored.signingKey !== null];
  return differing({
    type: [configured.type, stored.type],
    url: [configured.url, url],
    signing_key: keys,
  });
}

/** The fields in which a stored network differs from the configured one. */
export function networkDifferences(
  configured: NewNetwork,
  stored: NetworkEntity,
  storedUrls: NetworkUrls,
): string[] {
  return differing({
    chain_id: [configured.chainId, stored.chainId],
    symbol: [configured.symbol, stored.symbol],
    required_confirmations: [configured.requiredConfirmations, stored.requiredConfirmations],
    average_blocktime_ms: [configured.averageBlocktimeMs, stored.averageBlocktimeMs],
    is_testnet: [configured.isTestnet, stored.isTestnet],
    features: [configured.features, stored.features],
    tags: [configured.tags, stored.tags],
    explorer_urls: [configured.explorerUrls, stored.explorerUrls],
    rpc_urls: [configured.rpcUrls, storedUrls.rpcUrls],
    private_rpc_urls: [configured.privateRpcUrls, storedUrls.privateRpcUrls],
    private_fallback_blocks: [configured.privateFallbackBlocks, stored.privateFallbackBlocks],
    fees: [configured.fees, stored.fees],
    rpc_methods: [configured.rpcMethods, stored.rpcMethods],
    passphrase: [configured.passphrase, stored.passphrase],
    horizon_url: [configured.horizonUrl, stored.horizonUrl],
  });
}

function differing(fields: Record<string, [unknown, unknown]>): string[] {
  return Object.entries(fields)
    .filter(([, [configured, stored]]) => !isDeepStrictEqual(configured, stored))
    .map(([name]) => name);
}
