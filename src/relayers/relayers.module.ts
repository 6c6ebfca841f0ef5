import { Module } from '@nestjs/common';
import { NetworksModule } from '../networks/networks.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { OutboundModule } from '../outbound/outbound.module';
import { SignersModule } from '../signers/signers.module';
import { RelayerCreationService } from './relayer-creation.service';
import { RelayerMetrics } from './relayer.metrics';
import { RelayersController } from './relayers.controller';
import { RelayersService } from './relayers.service';

/** The accounts that the service acts with. */
@Module({
  imports: [NetworksModule, SignersModule, NotificationsModule, OutboundModule],
  controllers: [RelayersController],
  providers: [RelayersService, RelayerCreationService, RelayerMetrics],
  exports: [RelayersService],
})
export class RelayersModule {}
