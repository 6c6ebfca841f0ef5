import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What an account has spent, or reserved to be spent, in five minutes. Amounts are wei as decimal strings. */
@Entity('account_spending')
@Index('ix_account_spending_bucket', ['bucket'])
export class AccountSpendingEntity {
  @PrimaryColumn('varchar', { name: 'account_id', length: 96 })
  accountId!: string;

  /** Number of five minutes since 1970. */
  @PrimaryColumn('int')
  bucket!: number;

  @Column('varchar', { length: 80 })
  value!: string;

  @Column('varchar', { length: 80 })
  fee!: string;
}
