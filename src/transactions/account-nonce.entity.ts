import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { NetworkType } from '../chains/network-type';
import { integerColumn } from '../database/integer-column';

/** The ledger of an account, i.e. of an address on a chain: the nonce of its next transaction, and who processes it. */
@Entity('account_nonces')
@Index('ix_account_nonces_due_at', ['dueAt', 'comparedAt'])
@Index('ix_account_nonces_relayer_id', ['relayerId'])
export class AccountNonceEntity {
  /** {@link accountId} */
  @PrimaryColumn('varchar', { length: 96 })
  id!: string;

  @Column('varchar', { name: 'network_type', length: 16 })
  networkType!: NetworkType;

  @Column('varchar', { name: 'chain_id', length: 20 })
  chainId!: string;

  @Column('varchar', { length: 64 })
  address!: string;

  /** The relayer that has the account, or had it last. */
  @Column('varchar', { name: 'relayer_id', length: 36 })
  relayerId!: string;

  /** The next nonce to be assigned; every nonce below it has, or had, an owner. */
  @Column('bigint', { name: 'next_nonce', transformer: integerColumn })
  nextNonce!: number;

  /** Counts requests that concern the account: the instance that processes it compares this number before it stops. */
  @Column('int', { name: 'changes' })
  changes!: number;

  /** When the account is due, or the end of the lease of the instance that processes it; null if no transaction is open. */
  @Column('datetime', { name: 'due_at', precision: 6, nullable: true })
  dueAt!: Date | null;

  /** When last no work was left, and ledger and chain agreed. */
  @Column('datetime', { name: 'compared_at', precision: 6, nullable: true })
  comparedAt!: Date | null;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}

/** An account of a chain; the primary key of its ledger. */
export interface Account {
  networkType: NetworkType;
  chainId: string;
  address: string;
}

export const accountId = ({ networkType, chainId, address }: Account): string =>
  `${networkType}:${chainId}:${address}`;
