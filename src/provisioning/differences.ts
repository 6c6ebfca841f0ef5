import { isDeepStrictEqual } from 'node:util';
import type { NotificationEntity } from '../notifications/notification.entity';
import type { RpcUrl } from '../relayers/custom-rpc-urls';
import { parsePolicies } from '../relayers/policies/policies';
import type { RelayerEntity } from '../relayers/relayer.entity';
import { withWeights } from '../relayers/relayers.service';
import type { ConfiguredNotificationDto, ConfiguredRelayerDto } from './config-file.dto';

/** The fields in which a stored relayer differs from the configured one. */
export function relayerDifferences(
  configured: ConfiguredRelayerDto,
  stored: RelayerEntity,
  storedUrls: RpcUrl[] | undefined,
): string[] {
  return differing({
    name: [configured.name, stored.name],
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

/** The fields in which a stored notification differs from the configured one; of the key, only whether there is one. */
export function notificationDifferences(
  configured: ConfiguredNotificationDto,
  stored: NotificationEntity,
): string[] {
  return differing({
    type: [configured.type, stored.type],
    url: [configured.url, stored.url],
    signing_key: [Boolean(configured.signing_key), stored.signingKey !== null],
  });
}

function differing(fields: Record<string, [unknown, unknown]>): string[] {
  return Object.entries(fields)
    .filter(([, [configured, stored]]) => !isDeepStrictEqual(configured, stored))
    .map(([name]) => name);
}
