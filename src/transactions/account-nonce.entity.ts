import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { NetworkType } from '../chains/network-type';
import { integerColumn } from '../database/integer-column';

/**
 * The ledger of an account, i.e. of an address on a chain: its next nonce, and the lease of the instance that processes
 * it.
 */
@Entity('account_nonces')
@Index('ix_account_nonces_due_at', ['dueAt', 'comparedAt'])
@Index('ix_account_nonces_relayer_id', ['relayerId'])
export class AccountNonceEntity {
  /** See {@link accountId}. */
  @PrimaryColumn('varchar', { length: 96 })
  id!: string;

  @Column('varchar', { name: 'network_type', length: 16 })
  networkType!: NetworkType;

  @Column('varchar', { name: 'chain_id', length: 20 })
  chainId!: string;

  @Column('varchar', { length: 64 })
  address!: string;

  /** The relayer that uses the account, or used it last. */
  @Column('varchar', { name: 'relayer_id', length: 36 })
  relayerId!: string;

  /** The next nonce to assign. Every lower nonce has, or had, an owner. */
  @Column('bigint', { name: 'next_nonce', transformer: integerColumn })
  nextNonce!: number;

  /** Counts how often the next nonce was lowered. Between two times it only rises. */
  @Column('int', { default: 0 })
  lowerings!: number;

  /**
   * Counts the requests that concern the account. The instance that processes it compares this number before it stops.
   */
  @Column('int', { name: 'changes' })
  changes!: number;

  /**
   * When the account is due, or the end of the lease of the instance that processes it; null if no transaction is open.
   */
  @Column('datetime', { name: 'due_at', precision: 6, nullable: true })
  dueAt!: Date | null;

  /** When the ledger was last found to agree with the chain, with no work left. */
  @Column('datetime', { name: 'compared_at', precision: 6, nullable: true })
  comparedAt!: Date | null;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}

/** An account on a chain. {@link accountId} makes it the primary key of its ledger. */
export interface Account {
  networkType: NetworkType;
  chainId: string;
  address: string;
}

/** The account of a relayer; its chain id may not be known yet. */
export type RelayerAccount = Omit<Account, 'chainId'> & { chainId: string | null };

export const accountId = ({ networkType, chainId, address }: RelayerAccount): string =>
  `${networkType}:${chainId ?? ''}:${address}`;
