import { Module } from '@nestjs/common';
import { OutboundHttp } from '../outbound/outbound-http';
import { OutboundModule } from '../outbound/outbound.module';
import { NetworkSeeds } from './network-seeds';
import { NetworksController } from './networks.controller';
import { NetworksService } from './networks.service';
import { RpcMetrics } from './rpc/rpc.metrics';
import { RPC_TRANSPORT, RpcPools } from './rpc/rpc-pools';
import { httpTransport } from './rpc/rpc-transport';

/** The networks that relayers are on, and the way to their nodes. */
@Module({
  imports: [OutboundModule],
  controllers: [NetworksController],
  providers: [
    NetworksService,
    NetworkSeeds,
    RpcMetrics,
    RpcPools,
    {
      provide: RPC_TRANSPORT,
      inject: [OutboundHttp],
      useFactory: (http: OutboundHttp) => httpTransport(http),
    },
  ],
  exports: [NetworksService, NetworkSeeds, RpcPools],
})
export class NetworksModule {}
