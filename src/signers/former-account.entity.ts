import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { NetworkType } from '../chains/network-type';
import { SignerEntity } from './signer.entity';

/**
 * The account of a deleted relayer, on its network: the last relayer that had it. Rows are kept, because the coins of an
 * account outlive its relayers and the audit log. They carry no MAC, because anyone who writes to the database could delete
 * them instead.
 */
@Entity('former_accounts')
@Index('ix_former_accounts_signer_id', ['signerId'])
@Index('ix_former_accounts_relayer_id', ['relayerId'])
export class FormerAccountEntity {
  @PrimaryColumn('varchar', { length: 64 })
  address!: string;

  @PrimaryColumn('varchar', { name: 'network_type', length: 16 })
  networkType!: NetworkType;

  @PrimaryColumn('varchar', { length: 64 })
  network!: string;

  /** Null on networks that are not EVM, and if it was not known. */
  @Column('varchar', { name: 'chain_id', length: 20, nullable: true })
  chainId!: string | null;

  /** Null once the signer is deleted: another one with this id may have another key. */
  @Column('varchar', { name: 'signer_id', length: 36, nullable: true })
  signerId!: string | null;

  @ManyToOne(() => SignerEntity, { nullable: true, onDelete: 'SET NULL', onUpdate: 'RESTRICT' })
  @JoinColumn({ name: 'signer_id', foreignKeyConstraintName: 'fk_former_accounts_signer' })
  signer?: SignerEntity;

  @Column('varchar', { name: 'relayer_id', length: 36 })
  relayerId!: string;

  /** The group of the relayer when it was deleted. */
  @Column('varchar', { name: 'relayer_group', length: 36, nullable: true })
  group!: string | null;

  @Column('datetime', { name: 'deleted_at', precision: 6 })
  deletedAt!: Date;
}
