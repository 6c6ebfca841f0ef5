import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { original } from '../common/ports/original';
import { OutboundModule } from '../outbound/outbound.module';
import { DeletedNotifications } from './deleted-notifications';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { DeliveriesService } from './deliveries/deliveries.service';
import { DeliveryHistory } from './deliveries/delivery-history';
import { DeliveryMetrics } from './deliveries/delivery.metrics';
import { DeliveryRetention } from './deliveries/delivery-retention';
import { DeliverySender } from './deliveries/delivery-sender';
import { DeliveryWorker } from './deliveries/delivery-worker';
import { ReceiverHealth } from './deliveries/receiver-health';
import { Receivers } from './deliveries/receivers';
import { RequestedDeliveries } from './deliveries/requested-deliveries';
import { SwitchedOffReceivers } from './deliveries/switched-off-receivers';
import { EndedFormerReceivers } from './deliveries/ended-former-receivers';
import { FormerReceivers } from './deliveries/former-receivers';
import { ChangeEvents } from './events/change-events';
import { NotificationChanges } from './events/notification-changes';
import { NotificationEvents } from './events/notification-events';
import { NotificationsController } from './notifications.controller';
import { NotificationsApiService } from './notifications-api.service';
import { NotificationsApi } from './notifications.api';
import { NotificationsService } from './notifications.service';

/** Webhook configurations and the delivery of events. */
@Module({
  imports: [AccessModule, OutboundModule],
  controllers: [NotificationsController, DeliveriesController],
  providers: [
    NotificationsService,
    NotificationEvents,
    { provide: original(NotificationsApi), useClass: NotificationsApiService },
    ChangeEvents,
    DeletedNotifications,
    NotificationChanges,
    DeliveriesService,
    DeliveryHistory,
    DeliveryMetrics,
    DeliveryRetention,
    DeliverySender,
    DeliveryWorker,
    EndedFormerReceivers,
    FormerReceivers,
    ReceiverHealth,
    Receivers,
    RequestedDeliveries,
    SwitchedOffReceivers,
  ],
  exports: [NotificationsService, NotificationEvents, original(NotificationsApi)],
})
export class NotificationsModule {}
