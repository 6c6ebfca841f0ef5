import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SealedColumn } from '../common/secrets/secret-cipher';

/** {@link NotificationEntity.signingKey} */
export const NOTIFICATION_SIGNING_KEY: SealedColumn = { table: 'notifications', column: 'signing_key' };

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
