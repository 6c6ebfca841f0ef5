import { CHANGE_PROTECTION } from '../approvals/change.entity';
import type { ProtectedTable } from '../secrets/row-macs';
import { API_KEY_PROTECTION } from '../auth/api-keys/api-key.entity';
import { AUDIT_CHAIN_PROTECTION } from '../audit/audit-chain.entity';
import { NETWORK_PROTECTION } from '../networks/network.entity';
import { NOTIFICATION_PROTECTION } from '../notifications/notification.entity';
import { RELAYER_PROTECTION } from '../relayers/relayer.entity';
import { SIGNER_PROTECTION } from '../signers/signer.entity';
import { TRANSACTION_PROTECTION } from '../transactions/transaction.entity';

/**
 * Every table whose rows have MACs. Rows are verified when they are read, and get new MACs when the storage key
 * changes.
 */
export const PROTECTED_TABLES: readonly ProtectedTable[] = [
  SIGNER_PROTECTION,
  NOTIFICATION_PROTECTION,
  NETWORK_PROTECTION,
  RELAYER_PROTECTION,
  TRANSACTION_PROTECTION,
  CHANGE_PROTECTION,
  API_KEY_PROTECTION,
  AUDIT_CHAIN_PROTECTION,
];
