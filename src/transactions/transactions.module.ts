import { Module } from '@nestjs/common';
import { original } from '../common/ports/original';
import { AccessModule } from '../access/access.module';
import { NetworksModule } from '../networks/networks.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { RelayersModule } from '../relayers/relayers.module';
import { SignersModule } from '../signers/signers.module';
import { SigningModule } from '../signing/signing.module';
import { AccountStatusController } from './account-status.controller';
import { AccountStatusService } from './account-status.service';
import { AccountFloors } from './accepting/account-floors';
import { AccountLedger } from './accepting/account-ledger';
import { TransactionAcceptance } from './accepting/transaction-acceptance';
import { TransactionSubmission } from './accepting/transaction-submission';
import { TransactionChains } from './chains/transaction-chains';
import { AccountLookup } from './lanes/account-lookup';
import { KnownNonces } from './lanes/known-nonces';
import { LaneRows } from './lanes/lane-rows';
import { LaneWorker } from './lanes/lane-worker';
import { AccountStep } from './processing/account-step';
import { AttemptSender } from './processing/attempt-sender';
import { AttemptSigner } from './processing/attempt-signer';
import { NonceRepair } from './processing/nonce-repair';
import { NonceTakers } from './processing/nonce-takers';
import { OpenTransactions } from './processing/open-transactions';
import { Renewal } from './processing/renewal';
import { TransactionWatch } from './processing/transaction-watch';
import { UnownedNonces } from './processing/unowned-nonces';
import { SpendLimits } from './spending/spend-limits';
import { TransactionRetention } from './retention/transaction-retention';
import { TopUpMetrics } from './top-ups/top-up.metrics';
import { SourceFunds } from './top-ups/source-funds';
import { TopUpRows } from './top-ups/top-up-rows';
import { TopUps } from './top-ups/top-ups';
import { NonceEvents } from './nonce-events';
import { NonceLowering } from './nonce-lowering';
import { TransactionChangesService } from './transaction-changes.service';
import { TransactionEvents } from './transaction-events';
import { TransactionQueries } from './transaction-queries';
import { TransactionRows } from './transaction-rows';
import { TransactionWait } from './transaction-wait';
import { TransactionGauges } from './transaction.gauges';
import { TransactionMetrics } from './transaction.metrics';
import { RelayerTransactionsController } from './transactions.controller';
import { TransactionsApiService } from './transactions-api.service';
import { TransactionsApi } from './transactions.api';
import { TransactionsService } from './transactions.service';

/**
 * Sends transactions: accepts them with a nonce, signs, stores, sends, watches and repairs them until each is final.
 */
@Module({
  imports: [AccessModule, NetworksModule, RelayersModule, SignersModule, SigningModule, NotificationsModule],
  controllers: [RelayerTransactionsController, AccountStatusController],
  providers: [
    TransactionsService,
    { provide: original(TransactionsApi), useClass: TransactionsApiService },
    TransactionSubmission,
    TransactionChangesService,
    TransactionQueries,
    TransactionWait,
    AccountStatusService,
    TransactionAcceptance,
    AccountLedger,
    AccountFloors,
    SpendLimits,
    TransactionChains,
    TransactionRows,
    TransactionEvents,
    NonceEvents,
    NonceLowering,
    TransactionMetrics,
    TransactionGauges,
    KnownNonces,
    LaneRows,
    AccountLookup,
    LaneWorker,
    AccountStep,
    AttemptSigner,
    AttemptSender,
    NonceTakers,
    TransactionWatch,
    Renewal,
    OpenTransactions,
    NonceRepair,
    UnownedNonces,
    TopUps,
    TopUpRows,
    SourceFunds,
    TopUpMetrics,
    TransactionRetention,
  ],
  exports: [original(TransactionsApi)],
})
export class TransactionsModule {}
