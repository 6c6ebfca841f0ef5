import { Injectable } from '@nestjs/common';
import { OngoingAccess } from '../access/ongoing-access';
import type { ListPage } from '../common/pagination/list-page';
import { checkedPage, type PageRequest } from '../common/pagination/page-request';
import { MASKED_PATH, maskUrl } from '../common/validation/http-url';
import { validated } from '../common/validation/body-validation';
import { IDENTIFIER } from '../common/validation/fields';
import { isObject } from '../common/validation/json-object';
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

/**
 * Characters of JSON of the payload of a plugin's event: it is stored once for each notification that lists the event.
 * @limit Webhooks
 */
const MAX_PAYLOAD_LENGTH = 65_536;

/** The service's own implementation of {@link NotificationsApi}. */
@Injectable()
export class NotificationsApiService extends NotificationsApi {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly events: NotificationEvents,
    private readonly access: OngoingAccess,
  ) {
    super();
  }

  async list(query: PageRequest): Promise<ListPage<Notification>> {
    await this.access.assert('notifications:read');
    const page = await this.notifications.list(checkedPage(query));
    return page.map(await this.converter(page.items));
  }

  async get(id: string): Promise<Notification> {
    await this.access.assert('notifications:read');
    return this.shown(await this.notifications.getOrThrow(id));
  }

  async create(request: NewNotificationRequest): Promise<Notification> {
    await this.access.assert('notifications:write');
    const body = await validated(CreateNotificationDto, request);
    return this.withWholeUrl(await this.notifications.createNew(body));
  }

  async update(id: string, patch: NotificationPatch): Promise<Notification> {
    await this.access.assert('notifications:write');
    const body = await validated(UpdateNotificationDto, patch);
    const updated = await this.notifications.update(id, body);
    // A masked URL that was sent back does not show the whole one.
    const isSet = typeof body.url === 'string' && !body.url.endsWith(MASKED_PATH);
    return isSet ? this.withWholeUrl(updated) : this.shown(updated);
  }

  async delete(id: string): Promise<void> {
    await this.access.assert('notifications:write');
    await this.notifications.delete(id);
  }

  async record({ event, payload, relayerId }: PluginEventRecord): Promise<void> {
    if (!isRegisteredEvent(event)) throw new Error(`No plugin declares the event ${event}`);
    const given: unknown = payload;
    if (!isObject(given) || typeof given.payload_type !== 'string')
      throw new Error(`The payload of ${event} must be an object with a payload_type`);
    if (relayerId !== undefined && !IDENTIFIER.test(relayerId))
      throw new Error(`The relayerId of ${event} must match ${IDENTIFIER}`);
    if (JSON.stringify(payload).length > MAX_PAYLOAD_LENGTH)
      throw new Error(`The payload of ${event} is longer than ${MAX_PAYLOAD_LENGTH} characters of JSON`);
    await this.events.recordForSubscribers(event, payload, { relayerId: relayerId ?? null });
  }

  /** Converts notifications for the caller: URLs that it may not see are masked. */
  private async converter(
    notifications: readonly NotificationEntity[],
  ): Promise<(notification: NotificationEntity) => Notification> {
    const ids = await this.notifications.idsWithShownUrl(notifications);
    return (notification) => {
      const url = this.notifications.urlOf(notification);
      return toNotificationResponse(notification, !ids || ids.has(notification.id) ? url : maskUrl(url));
    };
  }

  private async shown(notification: NotificationEntity): Promise<Notification> {
    return (await this.converter([notification]))(notification);
  }

  private withWholeUrl(notification: NotificationEntity): Notification {
    return toNotificationResponse(notification, this.notifications.urlOf(notification));
  }
}
