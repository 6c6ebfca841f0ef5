import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { DeliveryFailure } from './delivery-failure';
import { DeliveryEntity } from './delivery.entity';

/** One attempt to deliver an event, and the receiver's response. */
@Entity('delivery_attempts')
@Index('ix_delivery_attempts_delivery_id', ['deliveryId', 'startedAt', 'id'])
export class DeliveryAttemptEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { name: 'delivery_id', length: 36 })
  deliveryId!: string;

  @ManyToOne(() => DeliveryEntity, { nullable: false, onDelete: 'CASCADE', onUpdate: 'RESTRICT' })
  @JoinColumn({ name: 'delivery_id', foreignKeyConstraintName: 'fk_delivery_attempts_delivery' })
  delivery?: DeliveryEntity;

  @Column('datetime', { name: 'started_at', precision: 6 })
  startedAt!: Date;

  /** In milliseconds. */
  @Column('int', { name: 'duration_ms' })
  durationMs!: number;

  /** The HTTP status; null if there was no response. */
  @Column('int', { nullable: true })
  status!: number | null;

  /** Null for a success. */
  @Column('varchar', { length: 32, nullable: true })
  failure!: DeliveryFailure | null;

  /** The beginning of the response body, as text; a note instead if the receiver is at a private address. */
  @Column('text', { nullable: true })
  answer!: string | null;
}
