import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { original } from '../common/ports/original';
import { NetworksModule } from '../networks/networks.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { OutboundModule } from '../outbound/outbound.module';
import { SignersModule } from '../signers/signers.module';
import { FailingCalls } from './chain-access/failing-calls';
import { RelayerChain } from './chain-access/relayer-chain';
import { RelayerChainController } from './chain-access/relayer-chain.controller';
import { RelayerStatusService } from './chain-access/relayer-status.service';
import { BalanceWatch } from './checks/balance-watch';
import { ChainCheck } from './checks/chain-check';
import { CheckMetrics } from './checks/check.metrics';
import { CheckMonitor } from './checks/check-monitor';
import { RelayerChecks } from './checks/relayer-checks';
import { PolicyWarnings } from './policies/policy-warnings.service';
import { RelayerAccounts } from './relayer-accounts';
import { RelayerChangesService } from './relayer-changes.service';
import { RelayerCreationService } from './relayer-creation.service';
import { RelayerEvents } from './relayer-events';
import { RelayerMetrics } from './relayer.metrics';
import { RelayerCreations, RelayerUpdates } from './relayer-requests';
import { RelayerRows } from './relayer-rows';
import { RelayersController } from './relayers.controller';
import { RelayersApiService } from './relayers-api.service';
import { FormerRelayers } from './former-relayers';
import { NewRelayerApprovals } from './new-relayer-approvals';
import { RelayersApi } from './relayers.api';
import { RelayersService } from './relayers.service';
import { TopUpSources } from './top-up-sources';
import { RelayerRpcController } from './chain-access/rpc/relayer-rpc.controller';
import { RelayerRpcService } from './chain-access/rpc/relayer-rpc.service';

/** Relayers, the accounts of the service: their lifecycle, their access to the chain, and their checks. */
@Module({
  imports: [AccessModule, NetworksModule, SignersModule, NotificationsModule, OutboundModule],
  controllers: [RelayersController, RelayerChainController, RelayerRpcController],
  providers: [
    RelayerRows,
    RelayersService,
    RelayerChangesService,
    RelayerAccounts,
    FormerRelayers,
    TopUpSources,
    NewRelayerApprovals,
    { provide: original(RelayersApi), useClass: RelayersApiService },
    PolicyWarnings,
    RelayerCreationService,
    RelayerUpdates,
    RelayerCreations,
    RelayerMetrics,
    RelayerChain,
    FailingCalls,
    RelayerStatusService,
    RelayerRpcService,
    BalanceWatch,
    ChainCheck,
    CheckMetrics,
    CheckMonitor,
    RelayerChecks,
    RelayerEvents,
  ],
  exports: [
    BalanceWatch,
    RelayersService,
    RelayerChangesService,
    RelayerAccounts,
    FormerRelayers,
    NewRelayerApprovals,
    PolicyWarnings,
    RelayerChain,
    RelayerStatusService,
    original(RelayersApi),
  ],
})
export class RelayersModule {}
