import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { AttemptContent } from '../chains/transaction-chain';
import { integerColumn } from '../database/integer-column';
import { LONG_TEXT_COLUMN } from '../database/long-text-column';
import { TransactionEntity } from './transaction.entity';

/** What an attempt was for: the request, or a no-op that takes its nonce. */
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

  /** From 1, in the order in which they were signed. */
  @PrimaryColumn('int')
  number!: number;

  @Column('varchar', { length: 16 })
  kind!: AttemptKind;

  @Column('bigint', { transformer: integerColumn })
  nonce!: number;

  @Column('varchar', { length: 88 })
  hash!: string;

  /** The signed bytes as they are sent; null once they were purged. */
  @Column(LONG_TEXT_COLUMN)
  raw!: string | null;

  @Column('json')
  content!: AttemptContent;

  /** When a node first acknowledged it. */
  @Column('datetime', { name: 'acknowledged_at', precision: 6, nullable: true })
  acknowledgedAt!: Date | null;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}
