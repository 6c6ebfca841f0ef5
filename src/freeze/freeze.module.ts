import { Module } from '@nestjs/common';
import { SigningFreezeController } from './signing-freeze.controller';
import { SigningFreezeMetrics } from './signing-freeze.metrics';
import { SigningFreezeService } from './signing-freeze.service';

/** The switch that stops all signing. */
@Module({
  controllers: [SigningFreezeController],
  providers: [SigningFreezeService, SigningFreezeMetrics],
  exports: [SigningFreezeService],
})
export class FreezeModule {}
