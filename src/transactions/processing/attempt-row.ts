import type { SignedAttempt } from '../../chains/transaction-chain';
import type { TransactionAttemptEntity } from '../transaction-attempt.entity';
import type { TransactionEntity } from '../transaction.entity';

/**
 * The row of an attempt that no node has acknowledged yet.
 *
 * @param number of the attempt, from 1
 */
export const attemptRow = (
  { id, nonce }: TransactionEntity,
  { content, raw }: SignedAttempt,
  number: number,
): TransactionAttemptEntity => ({
  transactionId: id,
  number,
  kind: content.kind,
  nonce,
  hash: content.hash,
  raw,
  content,
  acknowledgedAt: null,
  createdAt: new Date(),
});
