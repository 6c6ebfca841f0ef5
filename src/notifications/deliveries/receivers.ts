import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { parseUrl } from '../../common/net/parse-url';
import { readableOr, SecretCipher } from '../../secrets/secret-cipher';
import { ProtectedRows } from '../../database/integrity/protected-rows';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { UnitOfWork } from '../../database/unit-of-work';
import { NOTIFICATION_URL, NotificationEntity } from '../notification.entity';
import type { Receiver } from './delivery.entity';

/** Finds the receivers of deliveries. */
@Injectable()
export class Receivers {
  private readonly notifications: ProtectedRows<NotificationEntity>;

  constructor(
    unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    integrity: RowIntegrity,
  ) {
    this.notifications = new ProtectedRows(unitOfWork, integrity, NotificationEntity);
  }

  /** The receivers of notifications, by id, without those that have been deleted. */
  async find(notificationIds: readonly string[]): Promise<Map<string, Receiver>> {
    const ids = [...new Set(notificationIds)];
    const { intact, altered } = await this.notifications.findIntact({ where: { id: In(ids) } });
    return new Map([
      ...intact.map((notification) => [notification.id, this.receiverOf(notification)] as const),
      ...altered.map((id) => [id, unusable(id, 'notification_altered')] as const),
    ]);
  }

  /** The receiver of a notification in its current state. */
  private receiverOf(notification: NotificationEntity): Receiver {
    const { id, signingKey, previousSigningKey, previousKeyUntil, switchedOffAt } = notification;
    const open = () => this.cipher.open(notification.url, { ...NOTIFICATION_URL, row: id }).reveal();
    const url = readableOr(undefined, open);
    if (url === undefined) return unusable(id, 'unreadable_key');
    return { id, url, signingKey, previousSigningKey, previousKeyUntil, switchedOffAt };
  }
}

/** The host and port of a receiver's URL. */
export function hostOf(url: string): string {
  return parseUrl(url)?.host ?? url;
}

function unusable(id: string, failure: NonNullable<Receiver['failure']>): Receiver {
  return {
    id,
    failure,
    url: '',
    signingKey: null,
    previousSigningKey: null,
    previousKeyUntil: null,
    switchedOffAt: null,
  };
}
