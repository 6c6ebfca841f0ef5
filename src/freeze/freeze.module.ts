import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { SigningFreezeController } from './signing-freeze.controller';
import { SigningFreezeMetrics } from './signing-freeze.metrics';
import { SigningFreezeService } from './signing-freeze.service';
import { Unfreezing } from './unfreezing';

/** The switch that stops all signing. */
@Module({
  imports: [AccessModule],
  controllers: [SigningFreezeController],
  providers: [SigningFreezeService, Unfreezing, SigningFreezeMetrics],
  exports: [SigningFreezeService],
})
export class FreezeModule {}
