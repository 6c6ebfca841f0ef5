import { Module } from '@nestjs/common';
import { RelayerMetrics } from './relayer.metrics';
import { RelayersController } from './relayers.controller';
import { RelayersService } from './relayers.service';

/** The accounts that the service acts with. */
@Module({
  controllers: [RelayersController],
  providers: [RelayersService, RelayerMetrics],
  exports: [RelayersService],
})
export class RelayersModule {}
