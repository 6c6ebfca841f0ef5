import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { NotificationEntity } from './notification.entity';

/** Something that happened and that a notification is to be told of. */
@Entity('notification_events')
@Index('ix_notification_events_notification_id', ['notificationId', 'createdAt', 'id'])
export class NotificationEventEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { name: 'notification_id', length: 36 })
  notificationId!: string;

  @ManyToOne(() => NotificationEntity, { nullable: false, onDelete: 'CASCADE', onUpdate: 'RESTRICT' })
  @JoinColumn({ name: 'notification_id', foreignKeyConstraintName: 'fk_notification_events_notification' })
  notification?: NotificationEntity;

  @Column('varchar', { length: 32 })
  event!: string;

  /** As it was then; with `payload_type`, which tells what else it holds. */
  @Column('json')
  payload!: object;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}
