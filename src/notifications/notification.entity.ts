import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ProtectedEntity } from '../database/integrity/protected-entity';
import type { NotificationEvent } from './events/notification-event';
import type { ProtectedTable } from '../secrets/row-macs';
import type { SealedColumn } from '../secrets/secret-cipher';

/** The column of {@link NotificationEntity.signingKey}. */
export const NOTIFICATION_SIGNING_KEY: SealedColumn = { table: 'notifications', column: 'signing_key' };

/** The column of {@link NotificationEntity.previousSigningKey}. */
export const NOTIFICATION_PREVIOUS_KEY: SealedColumn = {
  table: 'notifications',
  column: 'previous_signing_key',
};

/** The column of {@link NotificationEntity.url}. */
export const NOTIFICATION_URL: SealedColumn = {
  table: 'notifications',
  column: 'url',
  plainBefore: /^https?:\/\//,
};

/** A webhook that receives events about relayers, or the former receiver of one. */
@Entity('notifications')
@Index('ix_notifications_created_at', ['createdAt', 'id'])
@Index('ix_notifications_former_host', ['formerHost'])
@Index('ix_notifications_is_subscriber', ['isSubscriber', 'deletedAt'])
export class NotificationEntity extends ProtectedEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { length: 16 })
  type!: 'webhook';

  /** Encrypted, because many webhook URLs contain a token. */
  @Column('text')
  url!: string;

  /** Encrypted. */
  @Column('text', { name: 'signing_key', nullable: true })
  signingKey!: string | null;

  /** The events that it receives; null for all except those that must be listed. */
  @Column('json', { nullable: true })
  events!: NotificationEvent[] | null;

  /**
   * Whether `events` names one that is sent regardless of the relayer. Such notifications are found and counted without
   * reading the others.
   */
  @Column('boolean', { name: 'is_subscriber', default: false })
  isSubscriber!: boolean;

  /** Encrypted. The previous key, which is also used for signatures until `previousKeyUntil`. */
  @Column('text', { name: 'previous_signing_key', nullable: true })
  previousSigningKey!: string | null;

  @Column('datetime', { name: 'previous_key_until', precision: 6, nullable: true })
  previousKeyUntil!: Date | null;

  /** Since when all attempts have failed, without a long gap between them; null if the last one succeeded. */
  @Column('datetime', { name: 'failing_since', precision: 6, nullable: true })
  failingSince!: Date | null;

  /** When an attempt last failed. */
  @Column('datetime', { name: 'last_failed_at', precision: 6, nullable: true })
  lastFailedAt!: Date | null;

  /** Since when it is no longer called, because it failed for too long. */
  @Column('datetime', { name: 'switched_off_at', precision: 6, nullable: true })
  switchedOffAt!: Date | null;

  /** Since when it is being deleted: nobody sees it any more, and it is deleted after its deliveries. */
  @Column('datetime', { name: 'deleted_at', precision: 6, nullable: true })
  deletedAt!: Date | null;

  /**
   * The host and port of the URL of a former receiver, which only gets the event that it is one. Null for notifications.
   */
  @Column('varchar', { name: 'former_host', length: 255, nullable: true })
  formerHost!: string | null;
}

/** The protected columns determine which events are sent, where they are sent, and who can prove to have sent them. */
export const NOTIFICATION_PROTECTION: ProtectedTable<NotificationEntity> = {
  table: 'notifications',
  columns: {
    id: 'protected',
    type: 'protected',
    url: 'protected',
    signingKey: 'protected',
    events: 'protected',
    isSubscriber: 'unprotected',
    previousSigningKey: 'protected',
    previousKeyUntil: 'protected',
    failingSince: 'unprotected',
    lastFailedAt: 'unprotected',
    switchedOffAt: 'unprotected',
    deletedAt: 'unprotected',
    formerHost: 'unprotected',
    createdAt: 'unprotected',
  },
};
