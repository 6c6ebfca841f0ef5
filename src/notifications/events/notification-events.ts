import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { IsNull, Not } from 'typeorm';
import { orOn } from '../../common/errors/or-on';
import { currentTrace } from '../../common/tracing/spans';
import { formatTrace } from '../../common/tracing/trace-context';
import type { AppConfig, WebhookSettings } from '../../config/app-config';
import { isForeignKeyViolation } from '../../database/drivers/driver-errors';
import { ProtectedRows } from '../../database/integrity/protected-rows';
import { RowAlteredError } from '../../database/integrity/row-altered.error';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { UnitOfWork } from '../../database/unit-of-work';
import { DeliveryEntity } from '../deliveries/delivery.entity';
import { DeliveryMetrics } from '../deliveries/delivery.metrics';
import { DeliveryWorker } from '../deliveries/delivery-worker';
import { type EventPayload, type NotificationEvent, wants } from './notification-event';
import { NotificationEntity } from '../notification.entity';

type NewDelivery = Omit<DeliveryEntity, 'notification'>;

/** SQLite limits the number of values in a statement. */
const ROWS_PER_INSERT = 100;

/** Optional properties of events. */
export interface EventDetails {
  /** The relayer that the events are about; null if there is none. */
  relayerId?: string | null;
  /**
   * Whether the notification receives the events even if its list lacks them, because it receives no more events about
   * the relayer afterwards.
   */
  areLast?: boolean;
  /** The times of the events, in the order of the payloads; by default now. */
  times?: readonly Date[];
  /** The traces that the events continue, in the same order; by default the current one. */
  traces?: readonly (string | null)[];
}

const ALTERED = { events: null, switchedOffAt: null, deletedAt: null };

/** The durable record of the events that notifications are to receive. */
@Injectable()
export class NotificationEvents {
  private readonly settings: WebhookSettings;
  private readonly notifications: ProtectedRows<NotificationEntity>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly worker: DeliveryWorker,
    private readonly metrics: DeliveryMetrics,
    integrity: RowIntegrity,
    config: ConfigService<AppConfig, true>,
  ) {
    this.settings = config.get('webhooks', { infer: true });
    this.notifications = new ProtectedRows(unitOfWork, integrity, NotificationEntity);
  }

  /**
   * Records events for a notification, if it receives such events. Must be called in the unit of work of the change
   * that they report, so that both are stored or neither is. While the receiver is switched off, events are recorded as
   * dead and can be replayed. If the row of the notification was altered, its list of events cannot be trusted: the
   * default events are recorded and wait, so that the change, above all a pause, is not blocked.
   *
   * @returns the ids of the deliveries; none if the notification does not exist
   */
  async record(
    notificationId: string,
    event: NotificationEvent,
    payloads: EventPayload[],
    { relayerId = null, areLast = false, times = [], traces = [] }: EventDetails = {},
  ): Promise<string[]> {
    const notification = await this.wishesOf(notificationId);
    if (!notification || payloads.length === 0) return [];
    if (!areLast && !wants(notification.events, event)) return [];
    const isOff = notification.switchedOffAt !== null && event !== 'test';
    const trace = formatTrace(currentTrace());
    const deliveries = payloads.map((payload, i) => ({
      ...this.deliveryOf(notificationId, event, payload, isOff),
      relayerId,
      traceContext: traces[i] ?? trace,
      ...(times[i] && { createdAt: times[i] }),
    }));
    if (!(await this.store(deliveries))) return [];
    const ids = deliveries.map(({ id }) => id);
    if (isOff) this.metrics.countEnded(event, 'dead', ids.length);
    else this.unitOfWork.afterCommit(() => this.worker.wake());
    return ids;
  }

  /** Records an event for a former receiver, whatever its list of events. Must be called like {@link record}. */
  async recordForFormer(receiverId: string, event: NotificationEvent, payload: EventPayload): Promise<void> {
    const delivery = this.deliveryOf(receiverId, event, payload, false);
    await this.insert([{ ...delivery, relayerId: null, traceContext: formatTrace(currentTrace()) }]);
    this.unitOfWork.afterCommit(() => this.worker.wake());
  }

  /** Records an event for all notifications that list it. Must be called like {@link record}. */
  async recordForSubscribers(
    event: NotificationEvent,
    payload: EventPayload,
    details: EventDetails = {},
  ): Promise<void> {
    const { intact } = await this.notifications.findIntact({
      where: { events: Not(IsNull()), deletedAt: IsNull() },
    });
    for (const { id, events } of intact)
      if (events?.includes(event)) await this.record(id, event, [payload], details);
  }

  private async wishesOf(id: string): Promise<Pick<NotificationEntity, 'events' | 'switchedOffAt'> | null> {
    const found = await orOn(RowAlteredError, ALTERED, () => this.notifications.findById(id));
    return found?.deletedAt ? null : found;
  }

  /**
   * @returns false if the notification has been deleted since it was read: nothing is stored, and the change that
   * caused the events continues
   */
  private async store(deliveries: NewDelivery[]): Promise<boolean> {
    try {
      await this.unitOfWork.run(() => this.insert(deliveries));
      return true;
    } catch (error) {
      if (isForeignKeyViolation(error)) return false;
      throw error;
    }
  }

  private async insert(deliveries: NewDelivery[]): Promise<void> {
    for (let start = 0; start < deliveries.length; start += ROWS_PER_INSERT) {
      const rows = deliveries.slice(start, start + ROWS_PER_INSERT);
      await this.unitOfWork.repository(DeliveryEntity).insert(rows);
    }
  }

  private deliveryOf(
    notificationId: string,
    event: NotificationEvent,
    payload: EventPayload,
    isOff: boolean,
  ): Omit<NewDelivery, 'relayerId' | 'traceContext'> {
    const now = new Date();
    return {
      id: randomUUID(),
      notificationId,
      event,
      payload,
      state: isOff ? 'dead' : 'pending',
      attempts: 0,
      giveUpAt: new Date(now.getTime() + this.settings.retryForMs),
      nextAttemptAt: isOff ? null : now,
      lastStatus: null,
      lastFailure: isOff ? 'switched_off' : null,
      finishedAt: isOff ? now : null,
      createdAt: now,
    };
  }
}
