import { Injectable } from '@nestjs/common';
import { readableOr, SecretCipher } from '../../secrets/secret-cipher';
import { FormerReceivers } from '../deliveries/former-receivers';
import {
  NOTIFICATION_PREVIOUS_KEY,
  NOTIFICATION_SIGNING_KEY,
  NOTIFICATION_URL,
  type NotificationEntity,
} from '../notification.entity';
import { EVENT_CHOICES, type EventPayload, wants } from './notification-event';
import { NotificationEvents } from './notification-events';

/**
 * Notifies a receiver of changes after which it receives fewer events, or another receiver gets them. Therefore nobody
 * can hide something by changing a notification without the receiver noticing.
 */
@Injectable()
export class NotificationChanges {
  constructor(
    private readonly cipher: SecretCipher,
    private readonly events: NotificationEvents,
    private readonly former: FormerReceivers,
  ) {}

  /**
   * Records `notification_update` if an event was removed from the list, or the URL or the key changed. It is delivered
   * to the new URL with the new keys, so it is also recorded for the receiver at the former URL, or with a key that no
   * longer signs.
   *
   * @throws DomainError `overloaded` if too many former receivers are waiting
   */
  async updated(before: NotificationEntity, after: NotificationEntity): Promise<void> {
    const isMoved = this.urlOf(before) !== this.urlOf(after);
    const hasOtherKey = this.keyOf(before) !== this.keyOf(after);
    const received = before.events ?? EVENT_CHOICES.filter((event) => wants(null, event));
    const lost = received.some((event) => !wants(after.events, event));
    const changed = [...(isMoved ? ['url'] : []), ...(hasOtherKey ? ['signing_key'] : [])];
    if (lost) changed.push('events');
    if (changed.length === 0) return;
    const payload: EventPayload = {
      payload_type: 'notification',
      notification_id: after.id,
      changed,
      events: after.events,
    };
    await this.events.record(after.id, 'notification_update', [payload]);
    const now = new Date();
    const keys = this.keysOf(after, now);
    const lostKey = this.keysOf(before, now).some((key) => !keys.includes(key));
    if (isMoved || lostKey) await this.former.record(before, 'notification_update', payload);
  }

  /**
   * Records the event for a former receiver, because the deliveries of the notification are deleted along with it.
   *
   * @throws DomainError `overloaded` if too many former receivers are waiting
   */
  async deleted(notification: NotificationEntity): Promise<void> {
    const { id } = notification;
    await this.former.record(notification, 'notification_deleted', {
      payload_type: 'notification_deleted',
      notification_id: id,
    });
  }

  private urlOf({ id, url }: NotificationEntity): string | null {
    return this.open(url, { ...NOTIFICATION_URL, row: id });
  }

  private keyOf({ id, signingKey }: NotificationEntity): string | null {
    return signingKey === null ? null : this.open(signingKey, { ...NOTIFICATION_SIGNING_KEY, row: id });
  }

  /** The keys that sign at a time. */
  private keysOf(notification: NotificationEntity, at: Date): string[] {
    const { id, previousSigningKey, previousKeyUntil } = notification;
    const current = this.keyOf(notification);
    if (current === null) return [];
    if (previousSigningKey === null || previousKeyUntil === null || previousKeyUntil <= at) return [current];
    return [current, this.open(previousSigningKey, { ...NOTIFICATION_PREVIOUS_KEY, row: id })];
  }

  /** If a secret can no longer be decrypted, its encrypted record is compared instead. */
  private open(record: string, place: Parameters<SecretCipher['open']>[1]): string {
    return readableOr(record, () => this.cipher.open(record, place).reveal());
  }
}
