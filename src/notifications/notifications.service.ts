import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { IsNull, type Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log';
import type { DomainError } from '../common/errors/domain-error';
import { MASKED_PATH, maskUrl } from '../common/validation/http-url';
import type { ListPage } from '../common/pagination/list-page';
import type { PageQuery } from '../common/pagination/page-query';
import { Secret } from '../common/secrets/secret';
import { readableOr, SecretCipher } from '../secrets/secret-cipher';
import { IDENTIFIER } from '../common/validation/fields';
import type { AppConfig } from '../config/app-config';
import { describeDependents, everyDependent, hasDependents } from '../database/references';
import { isUniqueViolation } from '../database/drivers/driver-errors';
import { type FoundRows, ProtectedRows } from '../database/integrity/protected-rows';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { UnitOfWork } from '../database/unit-of-work';
import { OutboundGuard } from '../outbound/outbound-guard';
import { OngoingAccess } from '../access/ongoing-access';
import { currentReach, isReachable, outOfReach } from '../access/relayer-reach';
import { DeletedNotifications } from './deleted-notifications';
import { DeliveryEntity } from './deliveries/delivery.entity';
import { assertReachesWaiting } from './deliveries/reachable-deliveries';
import { NotificationChanges } from './events/notification-changes';
import { type NotificationEvent, subscribedEvent } from './events/notification-event';
import type { CreateNotificationDto } from './dto/create-notification.dto';
import type { UpdateNotificationDto } from './dto/update-notification.dto';
import {
  type AuditedNotification,
  notificationCreated,
  notificationDeleted,
  notificationUpdated,
} from './notification-audit';
import { notificationExists, notificationInUse, notificationNotFound } from './notification.errors';
import { idsWithShownUrl } from './shown-urls';
import { assertRoomForSubscriber } from './subscribers';
import {
  NOTIFICATION_PREVIOUS_KEY,
  NOTIFICATION_SIGNING_KEY,
  NOTIFICATION_URL,
  NotificationEntity,
} from './notification.entity';

const NOT_DELETED = { sql: 'deleted_at IS NULL', values: [] };

/** Webhook configurations. */
@Injectable()
export class NotificationsService {
  private readonly keyOverlapMs: number;
  private readonly notifications: ProtectedRows<NotificationEntity>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly guard: OutboundGuard,
    private readonly changes: NotificationChanges,
    private readonly deleted: DeletedNotifications,
    private readonly audit: AuditLog,
    private readonly access: OngoingAccess,
    integrity: RowIntegrity,
    config: ConfigService<AppConfig, true>,
  ) {
    this.notifications = new ProtectedRows(unitOfWork, integrity, NotificationEntity);
    this.keyOverlapMs = config.get('webhooks', { infer: true }).keyOverlapMs;
  }

  list(query: PageQuery): Promise<ListPage<NotificationEntity>> {
    return this.notifications.list(query, NOT_DELETED);
  }

  /** Like {@link list}, for callers that can continue without altered rows. */
  listIntact(query: PageQuery): Promise<FoundRows<NotificationEntity>> {
    return this.notifications.listIntact(query, { deletedAt: IsNull() });
  }

  /** @throws RowAlteredError */
  async find(id: string): Promise<Readonly<NotificationEntity> | null> {
    const found = await this.notifications.findById(id);
    return found?.deletedAt ? null : found;
  }

  /** Also true for a notification whose row was altered. */
  exists(id: string): Promise<boolean> {
    return IDENTIFIER.test(id)
      ? this.notifications.exists({ id, deletedAt: IsNull() })
      : Promise.resolve(false);
  }

  /**
   * Locks a notification that a relayer is about to use, so that it cannot be deleted before the end of the unit of
   * work in which that happens. Its receiver trusts the events that its key signs, and the keys that reach all its
   * relayers change it: so the request must reach them too.
   *
   * @throws DomainError `notification_not_found`, `forbidden`
   */
  async lockToUse(id: string): Promise<void> {
    const where = { id, deletedAt: IsNull() };
    const { intact, altered } = await this.notifications.findIntact({ where, lock: 'wait' });
    if (intact.length + altered.length === 0) throw notificationNotFound();
    await this.assertReachesRelayersOf(id);
  }

  /** As {@link idsWithShownUrl}. */
  idsWithShownUrl(notifications: readonly NotificationEntity[]): Promise<ReadonlySet<string> | undefined> {
    return idsWithShownUrl(this.unitOfWork.manager, notifications);
  }

  /** The URL to which a notification's events are sent. @throws SecretUnreadableError */
  urlOf({ id, url }: NotificationEntity): string {
    return this.cipher.open(url, { ...NOTIFICATION_URL, row: id }).reveal();
  }

  /** Null also for a key that can no longer be decrypted, for which a new key is the remedy. */
  signingKeyOf({ id, signingKey }: Pick<NotificationEntity, 'id' | 'signingKey'>): Secret | null {
    if (signingKey === null) return null;
    return readableOr(null, () => this.cipher.open(signingKey, { ...NOTIFICATION_SIGNING_KEY, row: id }));
  }

  /**
   * Creates a notification for a caller. @throws DomainError `notification_exists`, `too_many_subscribers`, `forbidden`,
   * `invalid_request` for a URL that may not be called
   */
  async createNew(dto: CreateNotificationDto): Promise<NotificationEntity> {
    this.guard.assertCallable(dto.url, 'url', 'webhook');
    return this.create(dto);
  }

  /** @throws DomainError `notification_exists`, `too_many_subscribers`, `forbidden` */
  async create(dto: CreateNotificationDto): Promise<NotificationEntity> {
    const id = dto.id ?? randomUUID();
    const notification = {
      id,
      type: dto.type ?? ('webhook' as const),
      url: this.sealUrl(id, dto.url),
      signingKey: typeof dto.signing_key === 'string' ? this.seal(id, dto.signing_key) : null,
      events: dto.events ?? null,
      isSubscriber: subscribedEvent(dto.events) !== undefined,
      previousSigningKey: null,
      previousKeyUntil: null,
      failingSince: null,
      lastFailedAt: null,
      switchedOffAt: null,
      deletedAt: null,
      formerHost: null,
      createdAt: new Date(),
    };
    try {
      return await this.unitOfWork.run(async () => {
        await this.access.recheck('notifications:write');
        assertReachesEvents(dto.events);
        if (notification.isSubscriber) await assertRoomForSubscriber(this.unitOfWork);
        const created = await this.notifications.insert(notification);
        await this.audit.record(notificationCreated(this.audited(created)));
        return created;
      });
    } catch (error) {
      throw isUniqueViolation(error) ? notificationExists() : error;
    }
  }

  /** @throws DomainError `notification_not_found`, `row_altered` */
  async getOrThrow(id: string): Promise<Readonly<NotificationEntity>> {
    const notification = IDENTIFIER.test(id) ? await this.find(id) : null;
    if (!notification) throw notificationNotFound();
    return notification;
  }

  /**
   * Can be repeated if it was interrupted.
   *
   * @throws DomainError `notification_not_found`, `forbidden`, `notification_in_use` naming the relayers, `overloaded`
   */
  async delete(id: string): Promise<void> {
    if (!IDENTIFIER.test(id)) throw notificationNotFound();
    await this.unitOfWork.run(() => this.markDeleted(id));
    await this.deleted.finish(id);
  }

  /** Completes a deletion that has begun, if there is one, after which the id is free. */
  finishDeletion(id: string): Promise<void> {
    return this.deleted.finish(id);
  }

  /** Deletes a notification for all callers, in a short unit of work however many deliveries it has. */
  private async markDeleted(id: string): Promise<void> {
    // While the row is locked, no relayer can start to use it.
    const intact = await this.lockToDelete(id);
    // If a relayer uses the notification, its deliveries are still wanted.
    if (await hasDependents(this.unitOfWork.manager, { notification_id: id })) throw await this.inUse(id);
    await assertReachesWaiting(this.deliveries, id);
    const { affected } = await this.unitOfWork
      .repository(NotificationEntity)
      .update({ id, deletedAt: IsNull() }, { deletedAt: new Date() });
    if (affected === 0) return;
    await this.audit.record(notificationDeleted(id, intact[0] && this.audited(intact[0])));
    // If the row was altered, it is unknown who received its events.
    for (const notification of intact) await this.changes.deleted(notification);
  }

  private async inUse(id: string): Promise<DomainError> {
    const reference = { notification_id: id };
    return notificationInUse(id, await describeDependents(this.unitOfWork.manager, reference, isReachable));
  }

  /** @returns the row; empty if it was altered */
  private async lockToDelete(id: string): Promise<NotificationEntity[]> {
    const { intact, altered } = await this.notifications.findIntact({ where: { id }, lock: 'wait' });
    await this.access.recheck('notifications:write');
    if (intact.length + altered.length === 0) throw notificationNotFound();
    for (const { events } of intact) assertReachesEvents(events);
    // It is unknown which events an altered row listed.
    if (currentReach() && altered.length > 0) throw outOfReach(`what notification '${id}' is about`);
    return intact;
  }

  /** A change of a notification determines who receives the events of its relayers. */
  private async assertReachesRelayersOf(id: string): Promise<void> {
    if (!currentReach()) return;
    const reachesAll = await everyDependent(this.unitOfWork.manager, { notification_id: id }, isReachable);
    if (!reachesAll) throw outOfReach(`every relayer that notification '${id}' is of`);
  }

  /**
   * Changes the given members. A receiver that was switched off is called again. A key that is replaced is also used
   * for signatures for a while.
   *
   * @throws DomainError `notification_not_found`, `too_many_subscribers`, `forbidden`, `invalid_request`, `row_altered`,
   * `overloaded`
   */
  async update(id: string, dto: UpdateNotificationDto): Promise<NotificationEntity> {
    if (typeof dto.url === 'string') this.guard.assertCallable(dto.url, 'url', 'webhook');
    if (!IDENTIFIER.test(id)) throw notificationNotFound();
    return this.unitOfWork.run(async () => {
      const stored = await this.notifications.findToChange(id);
      await this.access.recheck('notifications:write');
      if (!stored || stored.deletedAt) throw notificationNotFound();
      assertReachesEvents(stored.events);
      assertReachesEvents(dto.events);
      await this.assertReachesRelayersOf(id);
      const changes = this.changesOf(stored, dto);
      if (Object.keys(changes).length === 0) return stored;
      if (changes.url !== undefined || changes.signingKey !== undefined)
        await assertReachesWaiting(this.deliveries, id);
      const switchedOn = { failingSince: null, switchedOffAt: null };
      if (changes.isSubscriber && !stored.isSubscriber) await assertRoomForSubscriber(this.unitOfWork);
      const after = await this.notifications.update(stored, { ...changes, ...switchedOn });
      await this.audit.record(notificationUpdated(this.audited(stored), this.audited(after)));
      await this.changes.updated(stored, after);
      return after;
    });
  }

  private get deliveries(): Repository<DeliveryEntity> {
    return this.unitOfWork.repository(DeliveryEntity);
  }

  /** A URL that can no longer be decrypted is not shown. */
  private audited(row: NotificationEntity): AuditedNotification {
    return { row, shownUrl: readableOr('***', () => maskUrl(this.urlOf(row))) };
  }

  private changesOf(stored: NotificationEntity, dto: UpdateNotificationDto): Partial<NotificationEntity> {
    return {
      ...(dto.type && { type: dto.type }),
      ...(typeof dto.url === 'string' &&
        !this.isMasked(stored, dto.url) && { url: this.sealUrl(stored.id, dto.url) }),
      ...(dto.events !== undefined && {
        events: dto.events,
        isSubscriber: subscribedEvent(dto.events) !== undefined,
      }),
      ...(typeof dto.signing_key === 'string' && this.keyChanges(stored, dto.signing_key)),
    };
  }

  private keyChanges({ id, signingKey }: NotificationEntity, key: string): Partial<NotificationEntity> {
    if (key === '') return { signingKey: null, previousSigningKey: null, previousKeyUntil: null };
    const known = this.signingKeyOf({ id, signingKey });
    if (known?.reveal() === key) return { signingKey: this.seal(id, key) };
    return {
      signingKey: this.seal(id, key),
      previousSigningKey: known && this.cipher.seal(known, { ...NOTIFICATION_PREVIOUS_KEY, row: id }),
      previousKeyUntil: known && new Date(Date.now() + this.keyOverlapMs),
    };
  }

  /** A client that may not see the URL may send it back as it was shown. */
  private isMasked(stored: NotificationEntity, url: string): boolean {
    return url.endsWith(MASKED_PATH) && url === maskUrl(this.urlOf(stored));
  }

  private sealUrl(id: string, url: string): string {
    return this.cipher.seal(new Secret(url), { ...NOTIFICATION_URL, row: id });
  }

  private seal(id: string, signingKey: string): string {
    return this.cipher.seal(new Secret(signingKey), { ...NOTIFICATION_SIGNING_KEY, row: id });
  }
}

/** Events about all relayers are only for API keys that reach all of them. */
function assertReachesEvents(events: readonly NotificationEvent[] | null | undefined): void {
  const event = currentReach() && subscribedEvent(events);
  if (event) throw outOfReach(`what the event ${event} is about`);
}
