import { Module } from '@nestjs/common';
import { OUTBOUND_LOOKUP } from './lookup';
import { OutboundConnector } from './outbound-connector';
import { OutboundGuard } from './outbound-guard';
import { OutboundHttp } from './outbound-http';
import { systemLookup } from './system-lookup';

/** HTTP calls to URLs that users have configured. */
@Module({
  providers: [
    OutboundHttp,
    OutboundGuard,
    OutboundConnector,
    { provide: OUTBOUND_LOOKUP, useFactory: () => systemLookup() },
  ],
  exports: [OutboundHttp, OutboundGuard],
})
export class OutboundModule {}
