import { Module } from '@nestjs/common';
import { OutboundModule } from '../outbound/outbound.module';
import { NetworkSeeds } from './network-seeds';
import { NetworksController } from './networks.controller';
import { NetworksService } from './networks.service';

/** The networks that relayers are on. */
@Module({
  imports: [OutboundModule],
  controllers: [NetworksController],
  providers: [NetworksService, NetworkSeeds],
  exports: [NetworksService, NetworkSeeds],
})
export class NetworksModule {}
