import { Module } from '@nestjs/common';
import { RelayersModule } from '../relayers/relayers.module';
import { SignersModule } from '../signers/signers.module';
import { SigningController } from './signing.controller';
import { SigningService } from './signing.service';

/** What relayers sign, over HTTP. */
@Module({
  imports: [RelayersModule, SignersModule],
  controllers: [SigningController],
  providers: [SigningService],
})
export class SigningModule {}
