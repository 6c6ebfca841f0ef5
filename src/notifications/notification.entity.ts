import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A webhook that wants to hear what happens to relayers. */
@Entity('notifications')
@Index('ix_notifications_created_at', ['createdAt', 'id'])
export class NotificationEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { length: 16 })
  type!: 'webhook';

  @Column('varchar', { length: 2048 })
  url!: string;

  /** Encrypted. */
  @Column('text', { name: 'signing_key', nullable: true })
  signingKey!: string | null;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}
