import { Module } from '@nestjs/common';
import { EventLoopTurns, eventLoopTurns } from '../common/event-loop/event-loop-turns';
import { NetworksModule } from '../networks/networks.module';
import { RelayersModule } from '../relayers/relayers.module';
import { SignersModule } from '../signers/signers.module';
import { SigningController } from './signing.controller';
import { SigningService } from './signing.service';

/** What relayers sign, over HTTP. */
@Module({
  imports: [RelayersModule, NetworksModule, SignersModule],
  controllers: [SigningController],
  providers: [SigningService, { provide: EventLoopTurns, useValue: eventLoopTurns }],
})
export class SigningModule {}
