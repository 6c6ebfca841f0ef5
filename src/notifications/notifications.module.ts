import { Module } from '@nestjs/common';
import { OutboundModule } from '../outbound/outbound.module';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './notifications.service';

/** Webhook configurations. */
@Module({
  imports: [OutboundModule],
  controllers: [NotificationsController],
  providers: [NotificationsService],
  exports: [NotificationsService],
})
export class NotificationsModule {}
