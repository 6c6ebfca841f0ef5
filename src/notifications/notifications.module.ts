import { Module } from '@nestjs/common';
import { OutboundModule } from '../outbound/outbound.module';
import { QueueModule } from '../queue/queue.module';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { DeliveriesService } from './deliveries/deliveries.service';
import { DeliveryDispatcher } from './deliveries/delivery-dispatcher';
import { DeliveryHistory } from './deliveries/delivery-history';
import { DeliveryMetrics } from './deliveries/delivery.metrics';
import { DeliveryQueue } from './deliveries/delivery-queue';
import { DeliveryRetention } from './deliveries/delivery-retention';
import { DeliverySender } from './deliveries/delivery-sender';
import { ReceiverHealth } from './deliveries/receiver-health';
import { Receivers } from './deliveries/receivers';
import { RequestedDeliveries } from './deliveries/requested-deliveries';
import { NotificationEvents } from './events/notification-events';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './notifications.service';

/** Webhook configurations, and the delivery of events to them. */
@Module({
  imports: [OutboundModule, QueueModule],
  controllers: [NotificationsController, DeliveriesController],
  providers: [
    NotificationsService,
    NotificationEvents,
    DeliveriesService,
    DeliveryDispatcher,
    DeliveryHistory,
    DeliveryMetrics,
    DeliveryQueue,
    DeliveryRetention,
    DeliverySender,
    ReceiverHealth,
    Receivers,
    RequestedDeliveries,
  ],
  exports: [NotificationsService, NotificationEvents],
})
export class NotificationsModule {}
