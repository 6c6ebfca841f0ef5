import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In, IsNull } from 'typeorm';
import { orOn } from '../../common/errors/or-on';
import { getOrCreate } from '../../common/get-or-create';
import { currentTrace } from '../../common/tracing/spans';
import { formatTrace } from '../../common/tracing/trace-context';
import type { AppConfig, WebhookSettings } from '../../config/app-config';
import { isForeignKeyViolation } from '../../database/drivers/driver-errors';
import { ProtectedRows } from '../../database/integrity/protected-rows';
import { RowColumns } from '../../database/integrity/row-columns';
import { RowAlteredError } from '../../database/integrity/row-altered.error';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { statementParts } from '../../database/statement-parts';
import { UnitOfWork } from '../../database/unit-of-work';
import { DeliveryEntity } from '../deliveries/delivery.entity';
import { DeliveryMetrics } from '../deliveries/delivery.metrics';
import { DeliveryWorker } from '../deliveries/delivery-worker';
import { type EventPayload, type NotificationEvent, wants } from './notification-event';
import { NotificationEntity } from '../notification.entity';

type NewDelivery = Omit<DeliveryEntity, 'notification'>;
/** What recording events for a notification depends on. */
interface Wishes extends Pick<NotificationEntity, 'id' | 'switchedOffAt'> {
  /** `unknown` if the row was altered. */
  events: NotificationEntity['events'] | 'unknown';
}

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

/** The durable record of the events that notifications are to receive. */
@Injectable()
export class NotificationEvents {
  private readonly settings: WebhookSettings;
  private readonly notifications: ProtectedRows<NotificationEntity>;
  private columns: RowColumns<DeliveryEntity> | undefined;

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
   * dead and can be replayed. If the row of the notification was altered, its list of events cannot be trusted: all
   * events are recorded and wait, so that none is lost and the change, above all a pause, is not blocked.
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
    const { events } = notification;
    if (!areLast && events !== 'unknown' && !wants(events, event)) return [];
    const deliveries = payloads.map((payload, i) => ({
      ...this.deliveryOf(notification, event, payload, relayerId),
      ...(traces[i] && { traceContext: traces[i] }),
      ...(times[i] && { createdAt: times[i] }),
    }));
    const stored = await this.store(event, deliveries);
    return stored.map(({ id }) => id);
  }

  /** Records an event for a former receiver, whatever its list of events. Must be called like {@link record}. */
  async recordForFormer(receiverId: string, event: NotificationEvent, payload: EventPayload): Promise<void> {
    const receiver = { id: receiverId, switchedOffAt: null };
    await this.store(event, [this.deliveryOf(receiver, event, payload, null)]);
  }

  /**
   * Records an event for all notifications that list it, and for those that list such events and whose row was altered.
   * Must be called like {@link record}.
   */
  async recordForSubscribers(
    event: NotificationEvent,
    payload: EventPayload,
    { relayerId = null }: Pick<EventDetails, 'relayerId'> = {},
  ): Promise<void> {
    const { intact, altered } = await this.notifications.findIntact({
      where: { isSubscriber: true, deletedAt: IsNull() },
    });
    const receivers = [
      ...intact.filter(({ events }) => events?.includes(event)),
      ...altered.map((id) => ({ id, switchedOffAt: null })),
    ];
    await this.store(
      event,
      receivers.map((receiver) => this.deliveryOf(receiver, event, payload, relayerId)),
    );
  }

  private async wishesOf(id: string): Promise<Wishes | null> {
    const altered = { id, events: 'unknown', switchedOffAt: null, deletedAt: null } as const;
    const found = await orOn(RowAlteredError, altered, () => this.notifications.findById(id));
    return found?.deletedAt ? null : found;
  }

  /**
   * @returns the deliveries that were stored: not those of notifications that have been deleted since they were read,
   * without which the change that caused the event continues
   */
  private async store(event: NotificationEvent, deliveries: NewDelivery[]): Promise<NewDelivery[]> {
    const stored = await this.unitOfWork.run(async () => {
      const inserted: NewDelivery[] = [];
      for (const part of inParts(deliveries)) inserted.push(...(await this.insertExisting(part)));
      return inserted;
    });
    const dead = stored.filter(({ state }) => state === 'dead').length;
    if (dead > 0) this.metrics.countEnded(event, 'dead', dead);
    if (dead < stored.length) this.unitOfWork.afterCommit(() => this.worker.wake());
    return stored;
  }

  private async insertExisting(part: NewDelivery[]): Promise<NewDelivery[]> {
    try {
      await this.insert(part);
      return part;
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
    }
    const where = { id: In(part.map(({ notificationId }) => notificationId)) };
    const { intact, altered } = await this.notifications.findIntact({ where, lock: 'wait' });
    const existing = new Set([...intact.map(({ id }) => id), ...altered]);
    const others = part.filter(({ notificationId }) => existing.has(notificationId));
    if (others.length > 0) await this.insert(others);
    return others;
  }

  /** Does not use TypeORM's insert, which takes several times as long for many rows. */
  private async insert(part: NewDelivery[]): Promise<void> {
    this.columns ??= new RowColumns(this.unitOfWork.repository(DeliveryEntity).metadata);
    const { statement, values } = this.columns.insertionOf(part);
    await this.unitOfWork.manager.query(statement, values);
  }

  private deliveryOf(
    { id: notificationId, switchedOffAt }: Pick<NotificationEntity, 'id' | 'switchedOffAt'>,
    event: NotificationEvent,
    payload: EventPayload,
    relayerId: string | null,
  ): NewDelivery {
    const now = new Date();
    const isOff = switchedOffAt !== null && event !== 'test';
    return {
      id: randomUUID(),
      notificationId,
      relayerId,
      event,
      payload,
      state: isOff ? 'dead' : 'pending',
      attempts: 0,
      giveUpAt: new Date(now.getTime() + this.settings.retryForMs),
      nextAttemptAt: isOff ? null : now,
      lastStatus: null,
      lastFailure: isOff ? 'switched_off' : null,
      finishedAt: isOff ? now : null,
      traceContext: formatTrace(currentTrace()),
      createdAt: now,
    };
  }
}

/** Divides deliveries among statements. Those of subscribers share a payload. */
function inParts(deliveries: readonly NewDelivery[]): Iterable<NewDelivery[]> {
  const lengths = new Map<object, number>();
  return statementParts(deliveries, ROWS_PER_INSERT, ({ payload }) =>
    getOrCreate(lengths, payload, () => JSON.stringify(payload).length),
  );
}
