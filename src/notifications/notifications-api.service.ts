import { Injectable } from '@nestjs/common';
import { assertScope } from '../access/assert-scope';
import type { ListPage } from '../common/pagination/list-page';
import type { PageQuery } from '../common/pagination/page-query';
import { validated } from '../common/validation/body-validation';
import { CreateNotificationDto } from './dto/create-notification.dto';
import { toNotificationResponse } from './dto/notification.response';
import { UpdateNotificationDto } from './dto/update-notification.dto';
import { isRegisteredEvent } from './events/notification-event';
import { NotificationEvents } from './events/notification-events';
import type { NotificationEntity } from './notification.entity';
import {
  type NewNotificationRequest,
  type Notification,
  type NotificationPatch,
  NotificationsApi,
  type PluginEventRecord,
} from './notifications.api';
import { NotificationsService } from './notifications.service';

/** The service's own implementation of {@link NotificationsApi}. */
@Injectable()
export class NotificationsApiService extends NotificationsApi {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly events: NotificationEvents,
  ) {
    super();
  }

  async list(query: PageQuery): Promise<ListPage<Notification>> {
    assertScope('notifications:read');
    return (await this.notifications.list(query)).map((notification) => this.response(notification));
  }

  async get(id: string): Promise<Notification> {
    assertScope('notifications:read');
    return this.response(await this.notifications.getOrThrow(id));
  }

  async create(request: NewNotificationRequest): Promise<Notification> {
    assertScope('notifications:write');
    const body = await validated(CreateNotificationDto, request);
    return this.response(await this.notifications.createNew(body));
  }

  async update(id: string, patch: NotificationPatch): Promise<Notification> {
    assertScope('notifications:write');
    return this.response(await this.notifications.update(id, await validated(UpdateNotificationDto, patch)));
  }

  async delete(id: string): Promise<void> {
    assertScope('notifications:write');
    await this.notifications.delete(id);
  }

  async record({ event, payload, relayerId }: PluginEventRecord): Promise<void> {
    if (!isRegisteredEvent(event)) throw new Error(`No plugin declares the event ${event}`);
    await this.events.recordForSubscribers(event, payload, { relayerId: relayerId ?? null });
  }

  private response(notification: NotificationEntity): Notification {
    return toNotificationResponse(notification, this.notifications.urlOf(notification));
  }
}
