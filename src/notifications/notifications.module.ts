import { Module } from '@nestjs/common';
import { OutboundModule } from '../outbound/outbound.module';
import { QueueModule } from '../queue/queue.module';
import { DeliveriesService } from './deliveries/deliveries.service';
import { DeliveryDispatcher } from './deliveries/delivery-dispatcher';
import { DeliveryMetrics } from './deliveries/delivery.metrics';
import { DeliveryQueue } from './deliveries/delivery-queue';
import { DeliverySender } from './deliveries/delivery-sender';
import { NotificationEvents } from './notification-events';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './notifications.service';

/** Webhook configurations, and the delivery of events to them. */
@Module({
  imports: [OutboundModule, QueueModule],
  controllers: [NotificationsController],
  providers: [
    NotificationsService,
    NotificationEvents,
    DeliveriesService,
    DeliveryDispatcher,
    DeliveryMetrics,
    DeliveryQueue,
    DeliverySender,
  ],
  exports: [NotificationsService, NotificationEvents],
})
export class NotificationsModule {}
