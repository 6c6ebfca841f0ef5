import { ChangeEntity } from '../approvals/change.entity';
import { ApiKeyEntity } from '../auth/api-keys/api-key.entity';
import { SignatureNonceEntity } from '../auth/signed-requests/signature-nonce.entity';
import { AuditChainEntity } from '../audit/audit-chain.entity';
import { AuditEventEntity } from '../audit/audit-event.entity';
import { SigningFreezeEntity } from '../freeze/signing-freeze.entity';
import { NetworkSeedEntity } from '../networks/network-seed.entity';
import { NetworkEntity } from '../networks/network.entity';
import { UnfinishedCallEntity } from '../chains/rpc/unfinished-call.entity';
import { DeliveryAttemptEntity } from '../notifications/deliveries/delivery-attempt.entity';
import { DeliveryEntity } from '../notifications/deliveries/delivery.entity';
import { NotificationEntity } from '../notifications/notification.entity';
import { RelayerEntity } from '../relayers/relayer.entity';
import { FormerAccountEntity } from '../signers/former-account.entity';
import { SignerEntity } from '../signers/signer.entity';
import { AccountNonceEntity } from '../transactions/account-nonce.entity';
import { AccountSpendingEntity } from '../transactions/spending/account-spending.entity';
import { RelayerTopUpEntity } from '../transactions/top-ups/relayer-top-up.entity';
import { TransactionAttemptEntity } from '../transactions/transaction-attempt.entity';
import { TransactionEntity } from '../transactions/transaction.entity';

/** Every table of the service. */
export const ENTITIES = [
  SignerEntity,
  NotificationEntity,
  DeliveryEntity,
  DeliveryAttemptEntity,
  NetworkEntity,
  NetworkSeedEntity,
  UnfinishedCallEntity,
  RelayerEntity,
  FormerAccountEntity,
  SigningFreezeEntity,
  AccountNonceEntity,
  TransactionEntity,
  TransactionAttemptEntity,
  AccountSpendingEntity,
  RelayerTopUpEntity,
  ChangeEntity,
  ApiKeyEntity,
  SignatureNonceEntity,
  AuditChainEntity,
  AuditEventEntity,
];
