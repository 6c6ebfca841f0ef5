import { Module } from '@nestjs/common';
import { NotificationEvents } from './notification-events';
import { OutboundModule } from '../outbound/outbound.module';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './notifications.service';

/** Webhook configurations. */
@Module({
  imports: [OutboundModule],
  controllers: [NotificationsController],
  providers: [NotificationsService, NotificationEvents],
  exports: [NotificationsService, NotificationEvents],
})
export class NotificationsModule {}
