import { Module } from '@nestjs/common';
import { NetworksModule } from '../networks/networks.module';
import { RelayersModule } from '../relayers/relayers.module';
import { SignersModule } from '../signers/signers.module';
import { EventLoopTurns } from './event-loop-turns';
import { SigningController } from './signing.controller';
import { SigningService } from './signing.service';

/** What relayers sign, over HTTP. */
@Module({
  imports: [RelayersModule, NetworksModule, SignersModule],
  controllers: [SigningController],
  providers: [SigningService, { provide: EventLoopTurns, useFactory: () => new EventLoopTurns() }],
})
export class SigningModule {}
