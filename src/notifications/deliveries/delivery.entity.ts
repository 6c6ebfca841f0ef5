import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { MAX_TRACE_LENGTH } from '../../common/tracing/trace-context';
import { NotificationEntity } from '../notification.entity';
import type { DeliveryFailure } from './delivery-failure';

/**
 * - `pending`: to be delivered at `nextAttemptAt`;
 * - `delivered`: accepted by the receiver;
 * - `dead`: abandoned, until it is replayed.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The final states. */
export const FINAL_STATES = ['delivered', 'dead'] as const satisfies DeliveryState[];

export type FinalState = (typeof FINAL_STATES)[number];

/** One event for one notification. */
@Entity('deliveries')
@Index('ix_deliveries_notification_id', ['notificationId', 'createdAt', 'id'])
@Index('ix_deliveries_relayer_id', ['notificationId', 'relayerId', 'createdAt', 'id'])
@Index('ix_deliveries_state', ['notificationId', 'state', 'createdAt', 'id'])
@Index('ix_deliveries_next_attempt_at', ['nextAttemptAt', 'notificationId'])
@Index('ix_deliveries_finished_at', ['finishedAt'])
export class DeliveryEntity {
  /** Also the event's id in the body and in `webhook-id`, which is the same at each attempt. */
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { name: 'notification_id', length: 36 })
  notificationId!: string;

  @ManyToOne(() => NotificationEntity, { nullable: false, onDelete: 'CASCADE', onUpdate: 'RESTRICT' })
  @JoinColumn({ name: 'notification_id', foreignKeyConstraintName: 'fk_deliveries_notification' })
  notification?: NotificationEntity;

  /**
   * The relayer that the event is about, which may have been deleted since; null if the event is not about a relayer.
   */
  @Column('varchar', { name: 'relayer_id', length: 36, nullable: true })
  relayerId!: string | null;

  @Column('varchar', { length: 32 })
  event!: string;

  /** The payload at the time of the event. `payload_type` determines its other members. */
  @Column('json')
  payload!: object;

  @Column('varchar', { length: 16 })
  state!: DeliveryState;

  /** The number of attempts since it was created or last replayed. */
  @Column('int')
  attempts!: number;

  /** The end of the retry period: the last attempt is due at this time or earlier. */
  @Column('datetime', { name: 'give_up_at', precision: 6 })
  giveUpAt!: Date;

  /**
   * When the next attempt is due; null once the delivery is finished. Claiming the delivery changes this value, so that
   * the result of an attempt is saved only if the value is still that of its claim.
   */
  @Column('datetime', { name: 'next_attempt_at', precision: 6, nullable: true })
  nextAttemptAt!: Date | null;

  /** The HTTP status of the last response; null if there was none. */
  @Column('int', { name: 'last_status', nullable: true })
  lastStatus!: number | null;

  /** Why the delivery has not succeeded; null before the first attempt and after success. */
  @Column('varchar', { name: 'last_failure', length: 32, nullable: true })
  lastFailure!: DeliveryFailure | null;

  @Column('datetime', { name: 'finished_at', precision: 6, nullable: true })
  finishedAt!: Date | null;

  /** The trace that caused the delivery, as `formatTrace` writes it; null if there was none. */
  @Column('varchar', { name: 'trace_context', length: MAX_TRACE_LENGTH, nullable: true })
  traceContext!: string | null;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}

/** The properties of a notification that sending requires. */
export interface Receiver extends Pick<
  NotificationEntity,
  'id' | 'signingKey' | 'previousSigningKey' | 'previousKeyUntil' | 'switchedOffAt'
> {
  /** Decrypted; empty if there is a `failure`. */
  url: string;
  /** Why nothing can be sent. */
  failure?: DeliveryFailure;
}

/** A delivery with its receiver. */
export type DueDelivery = Omit<DeliveryEntity, 'notification'> & { notification: Receiver };
