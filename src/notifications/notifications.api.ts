import type { ListPage } from '../common/pagination/list-page';
import type { PageRequest } from '../common/pagination/page-request';
import type { CreateNotificationDto } from './dto/create-notification.dto';
import type { NotificationResponse } from './dto/notification.response';
import type { UpdateNotificationDto } from './dto/update-notification.dto';
import type { EventPayload, PluginEvent } from './events/notification-event';

/** A webhook configuration, as `GET /api/v1/notifications/{notification_id}` returns it. @public */
export type Notification = NotificationResponse;

/** The members of `POST /api/v1/notifications`. @public */
export type NewNotificationRequest = {
  [Member in keyof CreateNotificationDto]: CreateNotificationDto[Member];
};

/** The members of `PATCH /api/v1/notifications/{notification_id}`. @public */
export type NotificationPatch = { [Member in keyof UpdateNotificationDto]: UpdateNotificationDto[Member] };

/** An event of a plugin. @public */
export interface PluginEventRecord {
  /** One of the events that a plugin declares, for example `acme-ledger.entry_booked`. */
  event: PluginEvent;
  /** Sent to the receivers unchanged, so it must not contain secrets. */
  payload: EventPayload;
  /** The relayer that the event is about, if any. API keys that cannot reach it do not see the delivery. */
  relayerId?: string;
}

/**
 * Webhook configurations, by the same rules as the routes, which use this port, and the events of plugins. Outside of a
 * request, and in `outsideRequests`, the caller is the service itself.
 *
 * @public
 */
export abstract class NotificationsApi {
  /** @throws DomainError `forbidden` */
  abstract list(query: PageRequest): Promise<ListPage<Notification>>;

  /** @throws DomainError `notification_not_found`, `forbidden` */
  abstract get(id: string): Promise<Notification>;

  /** @throws DomainError `invalid_request`, `notification_exists`, `too_many_subscribers`, `forbidden` */
  abstract create(request: NewNotificationRequest): Promise<Notification>;

  /**
   * @throws DomainError `notification_not_found`, `invalid_request`, `too_many_subscribers`, `forbidden`, `overloaded`
   */
  abstract update(id: string, patch: NotificationPatch): Promise<Notification>;

  /** @throws DomainError `notification_not_found`, `notification_in_use`, `forbidden`, `overloaded` */
  abstract delete(id: string): Promise<void>;

  /**
   * Records an event for every notification that lists it in its `events`. Must be called in the unit of work of the
   * change that it reports, so that both are stored or neither is. Deliveries are stored as rows: they are retried, and
   * survive the process.
   *
   * @throws Error for an event that no plugin declares, and for a payload of more than 65 536 characters of JSON
   */
  abstract record(event: PluginEventRecord): Promise<void>;
}
