/**
 * The public interface of the package: everything exported here is stable within a major version, and nothing else can
 * be imported. `docs/reference/public-surface.md` documents it, and `npm run surface` compares the two.
 */
import './app/thread-pool';
import 'reflect-metadata';

export { createRelayerService, type RelayerServiceOptions } from './app/create-relayer-service';
export type { RelayerServiceConfig } from './app/relayer-service-config';
export { rotateStorageKeys } from './commands/rotate-storage-keys';
export { RelayerService } from './app/relayer-service';
export type { EmbeddedServiceOptions } from './app/embedded-service';
export { type EmbeddedServiceAsyncOptions, RelayerServiceModule } from './app/relayer-service.module';

export { RelayerPlugin, type RelayerPluginOptions } from './plugins/relayer-plugin.decorator';
export type { ServiceModule } from './plugins/plugins';
export type { PortOverride } from './common/ports/ports.module';
export { original } from './common/ports/original';

export {
  type NewRelayerRequest,
  type Relayer,
  type RelayerPatch,
  RelayersApi,
} from './relayers/relayers.api';
export { type MessageToSign, SigningApi, type TypedDataToSign } from './signing/signing.api';
export {
  type CanceledTransactions,
  type SubmittedTransaction,
  type Transaction,
  type TransactionAttempt,
  type TransactionBatch,
  type TransactionBatchItem,
  type TransactionRequest,
  TransactionsApi,
} from './transactions/transactions.api';
export type { TransactionStatus } from './transactions/transaction-status';
export {
  type NewNotificationRequest,
  type Notification,
  type NotificationPatch,
  NotificationsApi,
  type PluginEventRecord,
} from './notifications/notifications.api';
export type { PluginEvent } from './notifications/events/notification-event';
export { AuditApi, type PluginAuditRecord } from './audit/audit.api';
export type { PluginAction } from './audit/plugin-actions';
export { PendingChangeResponse as PendingChange } from './approvals/dto/pending-change.response';

export { Lifecycle } from './lifecycle/lifecycle';
export type {
  AcceptedTransactionMoment,
  LifecycleEvents,
  SignatureMoment,
  TransactionMoment,
} from './lifecycle/lifecycle-events';

export { SignerKind } from './signers/signer-kinds';
export {
  type SignerMaterial,
  type SignerProvider,
  type SignerProviderFactory,
  type SignerSources,
  SignerUnsuitableError,
} from './signers/signer-provider';
export { signerFailure, type SignerFailureReason } from './signers/signer-failure';
export type { DigestSignature } from './chains/evm/digest-signature';
export type { NetworkType } from './chains/network-type';

export { UnitOfWork } from './database/unit-of-work';
export { createTable, createdAtColumn, idColumn } from './database/migrations/create-table';
export { relayerIdColumn, relayerReference } from './plugins/relayer-reference';
export { SecretCipher } from './secrets/secret-cipher';
export { Secret } from './common/secrets/secret';

export { Public } from './access/public.decorator';
export { RequireScope } from './access/require-scope.decorator';
export type { PluginScope } from './access/scopes';
export { RateLimited } from './rate-limits/rate-limited.decorator';
export { ApiEnvelope, ApiEnvelopeList, ApiFailures } from './common/openapi/api-responses';
export { outsideRequests } from './common/http/request-context';
export { DomainError, invalidRequest } from './common/errors/domain-error';
export { ConfigurationError } from './config/configuration-error';
