import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The amounts that an account has spent or reserved in an interval of five minutes, in wei as decimal strings. */
@Entity('account_spending')
@Index('ix_account_spending_bucket', ['bucket'])
export class AccountSpendingEntity {
  @PrimaryColumn('varchar', { name: 'account_id', length: 96 })
  accountId!: string;

  /** The number of the five-minute interval, counted from 1970. */
  @PrimaryColumn('int')
  bucket!: number;

  @Column('varchar', { length: 96 })
  value!: string;

  @Column('varchar', { length: 96 })
  fee!: string;
}
