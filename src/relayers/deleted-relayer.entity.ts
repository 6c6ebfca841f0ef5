import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An id that a deleted relayer had, with its account. The rows are kept forever, unlike the audit log. */
@Entity('deleted_relayers')
@Index('ix_deleted_relayers_account', ['address', 'chainId'])
export class DeletedRelayerEntity {
  /** The id of the relayer. */
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** Empty if the row of the relayer was altered. */
  @PrimaryColumn('varchar', { length: 64 })
  address!: string;

  /** Empty on networks that are not EVM, and if it was not known. */
  @PrimaryColumn('varchar', { name: 'chain_id', length: 20 })
  chainId!: string;

  /** When it was first deleted. */
  @Column('datetime', { name: 'deleted_at', precision: 6 })
  deletedAt!: Date;
}
