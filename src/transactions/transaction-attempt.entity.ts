import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { AttemptContent } from '../chains/transaction-chain';
import { integerColumn } from '../database/integer-column';
import { LONG_TEXT_COLUMN } from '../database/long-text-column';
import { TransactionEntity } from './transaction.entity';

/** The purpose of an attempt: the request, or a no-op that uses its nonce. */
export type AttemptKind = 'request' | 'noop';

/** One signed form of a transaction. It is stored before its first byte is sent. */
@Entity('transaction_attempts')
export class TransactionAttemptEntity {
  @PrimaryColumn('varchar', { name: 'transaction_id', length: 36 })
  transactionId!: string;

  @ManyToOne(() => TransactionEntity, { onDelete: 'CASCADE', onUpdate: 'RESTRICT' })
  @JoinColumn({
    name: 'transaction_id',
    foreignKeyConstraintName: 'fk_transaction_attempts_transaction',
  })
  transaction?: TransactionEntity;

  /** The number of the attempt, from 1, in the order of signing. */
  @PrimaryColumn('int')
  number!: number;

  @Column('varchar', { length: 16 })
  kind!: AttemptKind;

  @Column('bigint', { transformer: integerColumn })
  nonce!: number;

  @Column('varchar', { length: 88 })
  hash!: string;

  /** The signed bytes to send; null once they have been purged. */
  @Column(LONG_TEXT_COLUMN)
  raw!: string | null;

  @Column('json')
  content!: AttemptContent;

  /** When a node first acknowledged the attempt. */
  @Column('datetime', { name: 'acknowledged_at', precision: 6, nullable: true })
  acknowledgedAt!: Date | null;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}
