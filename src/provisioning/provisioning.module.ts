import { Module } from '@nestjs/common';
import { NetworksModule } from '../networks/networks.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { OutboundModule } from '../outbound/outbound.module';
import { RelayersModule } from '../relayers/relayers.module';
import { SignersModule } from '../signers/signers.module';
import { StoredSecretsModule } from '../stored-secrets/stored-secrets.module';
import { DemonstrationService } from './demonstration/demonstration.service';
import { NetworkPlanner } from './plan/network-planner';
import { PlainHttpReport } from './plain-http-report';
import { ConfiguredSigners } from './plan/configured-signers';
import { ProvisioningPlanner } from './plan/planner';
import { RelayerConflicts } from './plan/relayer-conflicts';
import { ProvisioningService } from './provisioning.service';

/** Initial content: that of the configuration file, or a demonstration. */
@Module({
  imports: [
    OutboundModule,
    StoredSecretsModule,
    NetworksModule,
    SignersModule,
    NotificationsModule,
    RelayersModule,
  ],
  providers: [
    ProvisioningService,
    ProvisioningPlanner,
    ConfiguredSigners,
    NetworkPlanner,
    RelayerConflicts,
    DemonstrationService,
    PlainHttpReport,
  ],
})
export class ProvisioningModule {}
