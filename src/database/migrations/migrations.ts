import { CreateSigners1795000000000 } from './1795000000000-create-signers';
import { CreateNotifications1795000001000 } from './1795000001000-create-notifications';
import { AddSignerIdentity1795000003000 } from './1795000003000-add-signer-identity';
import { CreateRelayers1795000002000 } from './1795000002000-create-relayers';
import { CreateNetworks1795000010000 } from './1795000010000-create-networks';
import { CreateNetworkSeeds1795000011000 } from './1795000011000-create-network-seeds';
import { RelayersNameNetworks1795000012000 } from './1795000012000-relayers-name-networks';
import { AddRelayerChecks1795000020000 } from './1795000020000-add-relayer-checks';
import { AddNetworkRpcMethods1795000021000 } from './1795000021000-add-network-rpc-methods';
import { CreateDeliveries1795000022000 } from './1795000022000-create-deliveries';
import { CreateDeliveryAttempts1795000023000 } from './1795000023000-create-delivery-attempts';
import { AddNotificationDelivery1795000024000 } from './1795000024000-add-notification-delivery';
import { IndexDeliveryStates1795000025000 } from './1795000025000-index-delivery-states';
import { AddNotificationLastFailure1795000026000 } from './1795000026000-add-notification-last-failure';
import { AddRelayerChainId1795000029000 } from './1795000029000-add-relayer-chain-id';
import { StateSigningPolicies1795000030000 } from './1795000030000-state-signing-policies';
import { CreateSigningFreeze1795000030100 } from './1795000030100-create-signing-freeze';
import { AddRowMacs1795000033000 } from './1795000033000-add-row-macs';
import { WidenNotificationUrls1795000033100 } from './1795000033100-widen-notification-urls';
import { CreateRpcUnfinishedCalls1795000034000 } from './1795000034000-create-rpc-unfinished-calls';
import { CreateTransactions1795000040000 } from './1795000040000-create-transactions';
import { AddPrivateSending1795000041000 } from './1795000041000-add-private-sending';
import { AddRelayerFunds1795000042000 } from './1795000042000-add-relayer-funds';
import { CreateApiKeys1795000050000 } from './1795000050000-create-api-keys';
import { CreateSignatureNonces1795000050100 } from './1795000050100-create-signature-nonces';
import { AddRelayerGroup1795000051000 } from './1795000051000-add-relayer-group';
import { AddDeliveryRelayer1795000051100 } from './1795000051100-add-delivery-relayer';
import { CreateAuditLog1795000052000 } from './1795000052000-create-audit-log';
import { CreateChangeRequests1795000053000 } from './1795000053000-create-change-requests';
import { AddTraceContexts1795000060000 } from './1795000060000-add-trace-contexts';
import { AddNetworkFees1795000061000 } from './1795000061000-add-network-fees';
import { AddNotificationDeletion1795000062000 } from './1795000062000-add-notification-deletion';
import { AddFreezeRepeats1795000063000 } from './1795000063000-add-freeze-repeats';
import { CreateFormerAccounts1795000064000 } from './1795000064000-create-former-accounts';
import { AddNonceLowerings1795000065000 } from './1795000065000-add-nonce-lowerings';
import { IndexChangeRelayers1795000066000 } from './1795000066000-index-change-relayers';
import { AddFormerReceivers1795000067000 } from './1795000067000-add-former-receivers';
import { AddNotificationSubscribers1795000068000 } from './1795000068000-add-notification-subscribers';
import { AddCreators1795000070000 } from './1795000070000-add-creators';
import { WidenAccountSpending1795000071000 } from './1795000071000-widen-account-spending';
import { AddRevisions1795000072000 } from './1795000072000-add-revisions';

/** All migrations, oldest first. A new one is added at the end. */
export const MIGRATIONS = [
  CreateSigners1795000000000,
  CreateNotifications1795000001000,
  CreateRelayers1795000002000,
  AddSignerIdentity1795000003000,
  CreateNetworks1795000010000,
  CreateNetworkSeeds1795000011000,
  RelayersNameNetworks1795000012000,
  AddRelayerChecks1795000020000,
  AddNetworkRpcMethods1795000021000,
  CreateDeliveries1795000022000,
  CreateDeliveryAttempts1795000023000,
  AddNotificationDelivery1795000024000,
  IndexDeliveryStates1795000025000,
  AddNotificationLastFailure1795000026000,
  AddRelayerChainId1795000029000,
  StateSigningPolicies1795000030000,
  CreateSigningFreeze1795000030100,
  AddRowMacs1795000033000,
  WidenNotificationUrls1795000033100,
  CreateRpcUnfinishedCalls1795000034000,
  CreateTransactions1795000040000,
  AddPrivateSending1795000041000,
  AddRelayerFunds1795000042000,
  CreateApiKeys1795000050000,
  CreateSignatureNonces1795000050100,
  AddRelayerGroup1795000051000,
  AddDeliveryRelayer1795000051100,
  CreateAuditLog1795000052000,
  CreateChangeRequests1795000053000,
  AddTraceContexts1795000060000,
  AddNetworkFees1795000061000,
  AddNotificationDeletion1795000062000,
  AddFreezeRepeats1795000063000,
  CreateFormerAccounts1795000064000,
  AddNonceLowerings1795000065000,
  IndexChangeRelayers1795000066000,
  AddFormerReceivers1795000067000,
  AddNotificationSubscribers1795000068000,
  AddCreators1795000070000,
  WidenAccountSpending1795000071000,
  AddRevisions1795000072000,
];
