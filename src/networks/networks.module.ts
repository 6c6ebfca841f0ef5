import { Module } from '@nestjs/common';
import { NetworkSeeds } from './network-seeds';
import { NetworksController } from './networks.controller';
import { NetworksService } from './networks.service';

/** The networks that relayers are on. */
@Module({
  controllers: [NetworksController],
  providers: [NetworksService, NetworkSeeds],
  exports: [NetworksService, NetworkSeeds],
})
export class NetworksModule {}
