import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { IsNull, Not, type Repository } from 'typeorm';
import { currentPrincipal } from '../../access/principal';
import { overloaded } from '../../common/errors/retry-later.error';
import { Secret } from '../../common/secrets/secret';
import { ProtectedRows } from '../../database/integrity/protected-rows';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { UnitOfWork } from '../../database/unit-of-work';
import { readableOr, type SealedColumn, SecretCipher } from '../../secrets/secret-cipher';
import type { EventPayload, NotificationEvent } from '../events/notification-event';
import { NotificationEvents } from '../events/notification-events';
import {
  NOTIFICATION_PREVIOUS_KEY,
  NOTIFICATION_SIGNING_KEY,
  NOTIFICATION_URL,
  NotificationEntity,
} from '../notification.entity';
import { hostOf } from './receivers';
import { withPending } from './with-pending';

/**
 * Former receivers that wait for their event; a change that needs another one gets 503. The last tenth is for changes
 * with the root key. @limit Webhooks
 */
const MAX_WAITING = 10_000;
/**
 * Former receivers at one host that wait for their event; a change that needs another one gets 503. The last tenth is
 * for changes with the root key. @limit Webhooks
 */
const MAX_WAITING_PER_HOST = 2000;
/** The part of both limits that changes by API keys may use. */
const SHARE_OF_API_KEYS = 0.9;
/** The length of the column. No name of a host is longer. */
const MAX_HOST_LENGTH = 255;
/** A key that signed at the time of the change also signs attempts that are made later. */
const FOREVER = new Date('9999-12-31T00:00:00Z');

type NewRow = Omit<NotificationEntity, 'mac'>;

/**
 * Records a final event for the receiver that a notification had before its URL changed, its key was removed, or it was
 * deleted. Deliveries are sent to their notification in its current state, so this one gets a row of its own with the
 * former URL and keys: a row of `notifications` that nothing but the delivery uses. No event is dropped because of the
 * others: otherwise changes of other notifications could hide one.
 *
 * @see {@link EndedFormerReceivers}, which deletes the rows
 */
@Injectable()
export class FormerReceivers {
  private readonly logger = new Logger(FormerReceivers.name);
  private readonly protectedRows: ProtectedRows<NotificationEntity>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly events: NotificationEvents,
    integrity: RowIntegrity,
  ) {
    this.protectedRows = new ProtectedRows(unitOfWork, integrity, NotificationEntity);
  }

  /**
   * Must be called in the unit of work of the change.
   *
   * @param notification its state before the change
   * @throws DomainError `overloaded` if too many former receivers are waiting; then the change must not be made
   */
  async record(
    notification: NotificationEntity,
    event: NotificationEvent,
    payload: EventPayload,
  ): Promise<void> {
    const former = this.copyOf(notification);
    if (!former) {
      this.unitOfWork.afterCommit(() => {
        const { id } = notification;
        const cause = 'its URL or signing key cannot be decrypted';
        this.logger.warn('A former receiver cannot be notified', { notification: id, event, cause });
      });
      return;
    }
    await this.assertRoomFor(former, notification);
    await this.protectedRows.insert(former);
    await this.events.recordForFormer(former.id, event, payload);
  }

  /** Changes that are made at the same moment may exceed the limits by one each. */
  private async assertRoomFor({ formerHost }: NewRow, { id }: NotificationEntity): Promise<void> {
    const waiting = withPending(true);
    const share = currentPrincipal()?.kind === 'api_key' ? SHARE_OF_API_KEYS : 1;
    const atHost = await this.rows.countBy({ formerHost: formerHost ?? '', id: waiting });
    if (atHost >= share * MAX_WAITING_PER_HOST)
      throw overloaded(`too many former receivers at the host of notification '${id}' wait for their event`);
    if ((await this.rows.countBy({ formerHost: Not(IsNull()), id: waiting })) >= share * MAX_WAITING)
      throw overloaded('too many former receivers of notifications wait for their event');
  }

  /** The row of the former receiver; undefined if a secret can no longer be decrypted. */
  private copyOf(notification: NotificationEntity): NewRow | undefined {
    const now = new Date();
    const { type, previousKeyUntil } = notification;
    // No route accepts such an id, so no request can name the row.
    const id = `former:${randomBytes(16).toString('base64url')}`;
    const isPreviousUsed = previousKeyUntil !== null && previousKeyUntil > now;
    const open = (column: SealedColumn, record: string): Secret =>
      this.cipher.open(record, { ...column, row: notification.id });
    const resealKey = (column: SealedColumn, record: string | null): string | null => {
      const key = record === null ? null : open(column, record);
      try {
        return key && this.cipher.seal(key, { ...column, row: id });
      } finally {
        key?.destroy();
      }
    };
    return readableOr(undefined, () => {
      const url = open(NOTIFICATION_URL, notification.url).reveal();
      return {
        id,
        type,
        url: this.cipher.seal(new Secret(url), { ...NOTIFICATION_URL, row: id }),
        signingKey: resealKey(NOTIFICATION_SIGNING_KEY, notification.signingKey),
        events: null,
        isSubscriber: false,
        previousSigningKey: isPreviousUsed
          ? resealKey(NOTIFICATION_PREVIOUS_KEY, notification.previousSigningKey)
          : null,
        previousKeyUntil: isPreviousUsed ? FOREVER : null,
        // A receiver that was switched off may be available again.
        failingSince: null,
        lastFailedAt: null,
        switchedOffAt: null,
        // Nothing that lists, shows or uses notifications finds those that were deleted.
        deletedAt: now,
        formerHost: hostOf(url).slice(0, MAX_HOST_LENGTH),
        createdAt: now,
      };
    });
  }

  private get rows(): Repository<NotificationEntity> {
    return this.unitOfWork.repository(NotificationEntity);
  }
}
