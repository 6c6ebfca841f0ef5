import { Module } from '@nestjs/common';
import { NetworksModule } from '../networks/networks.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { SignersModule } from '../signers/signers.module';
import { RelayerCreationService } from './relayer-creation.service';
import { RelayerLookup } from './relayer-lookup';
import { RelayerMetrics } from './relayer.metrics';
import { RelayersController } from './relayers.controller';
import { RelayersService } from './relayers.service';

/** The accounts that the service acts with. */
@Module({
  imports: [NetworksModule, SignersModule, NotificationsModule],
  controllers: [RelayersController],
  providers: [RelayersService, RelayerLookup, RelayerCreationService, RelayerMetrics],
  exports: [RelayersService],
})
export class RelayersModule {}
