import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { OutboundHttp } from '../outbound/outbound-http';
import { OutboundModule } from '../outbound/outbound.module';
import { NetworksController } from './networks.controller';
import { NetworksService } from './networks.service';
import { RpcMetrics } from './rpc.metrics';
import { type CallJournal } from '../chains/rpc/call-journal';
import { CALL_JOURNAL, RPC_TRANSPORT, RpcPools } from './rpc-pools';
import { UnfinishedCalls } from '../chains/rpc/unfinished-calls';
import { httpTransport } from '../chains/rpc/rpc-transport';

/** The networks of relayers, and access to their nodes. */
@Module({
  imports: [AccessModule, OutboundModule],
  controllers: [NetworksController],
  providers: [
    NetworksService,
    RpcMetrics,
    RpcPools,
    { provide: CALL_JOURNAL, useClass: UnfinishedCalls },
    {
      provide: RPC_TRANSPORT,
      inject: [OutboundHttp, CALL_JOURNAL],
      useFactory: (http: OutboundHttp, journal: CallJournal) => httpTransport(http, { journal }),
    },
  ],
  exports: [NetworksService, RpcPools],
})
export class NetworksModule {}
