import type { ChainView, SignedAttempt } from '../../chains/transaction-chain';
import type { TransactionAttemptEntity } from '../transaction-attempt.entity';
import type { TransactionChanges } from '../transaction-rows';
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

/** Signing the same content again results in the same attempt. */
export const isNew = ({ content }: SignedAttempt, { hashes }: TransactionEntity): boolean =>
  !hashes.includes(content.hash);

/** The changes of a transaction whose next attempt was signed. */
export const changesBy = (
  attempt: SignedAttempt,
  row: TransactionEntity,
  { head }: ChainView,
): TransactionChanges => ({
  status: row.status === 'pending' ? 'sent' : row.status,
  attempt: attempt.content,
  ...(isNew(attempt, row) && { hashes: [...row.hashes, attempt.content.hash] }),
  needsAttempt: false,
  signedBlock: row.signedBlock ?? head,
  broadcastAt: null,
  // The reason why it was abandoned is kept.
  ...(row.status === 'pending' && row.abandonedAs === null && { statusReason: null }),
});
