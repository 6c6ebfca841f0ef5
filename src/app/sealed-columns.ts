import { CHANGE_SECRETS } from '../approvals/change.entity';
import type { SealedColumn } from '../secrets/secret-cipher';
import { NETWORK_PRIVATE_RPC_URLS, NETWORK_RPC_URLS } from '../networks/network.entity';
import {
  NOTIFICATION_PREVIOUS_KEY,
  NOTIFICATION_SIGNING_KEY,
  NOTIFICATION_URL,
} from '../notifications/notification.entity';
import { RELAYER_RPC_URLS } from '../relayers/relayer.entity';
import { SIGNER_SECRET } from '../signers/signer.entity';

/**
 * Every column that contains secrets. They are checked at startup, and encrypted again when the storage key changes.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SIGNER_SECRET,
  NOTIFICATION_URL,
  NOTIFICATION_SIGNING_KEY,
  NOTIFICATION_PREVIOUS_KEY,
  RELAYER_RPC_URLS,
  NETWORK_RPC_URLS,
  NETWORK_PRIVATE_RPC_URLS,
  CHANGE_SECRETS,
];
