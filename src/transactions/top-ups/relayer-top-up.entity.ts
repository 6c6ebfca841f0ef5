import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { RelayerEntity } from '../../relayers/relayer.entity';

/** The last top-up of a relayer. Its transaction, once accepted, is identified by the idempotency key. */
@Entity('relayer_top_ups')
export class RelayerTopUpEntity {
  /** The relayer that receives the coins. */
  @PrimaryColumn('varchar', { name: 'relayer_id', length: 36 })
  relayerId!: string;

  @ManyToOne(() => RelayerEntity, { onDelete: 'CASCADE', onUpdate: 'RESTRICT' })
  @JoinColumn({ name: 'relayer_id', foreignKeyConstraintName: 'fk_relayer_top_ups_relayer' })
  relayer?: RelayerEntity;

  /** The relayer that sends them. */
  @Column('varchar', { name: 'from_relayer_id', length: 36 })
  fromRelayerId!: string;

  /** The idempotency key of the sender's transaction. It contains a space, so no client can use it. */
  @Column('varchar', { name: 'idempotency_key', length: 255 })
  idempotencyKey!: string;

  /** When the top-up was last tried. */
  @Column('datetime', { name: 'tried_at', precision: 6 })
  triedAt!: Date;
}
