import { IsNull, Not } from 'typeorm';
import type { TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import { kindOf } from './attempt-signer';
import type { LaneContext } from './lane-context';

/**
 * The newest attempt that nodes have accepted, if a later one follows it and it has the current content of the
 * transaction. Nodes may have dropped it since.
 */
export async function acceptedBefore(
  { chain }: LaneContext,
  rows: TransactionRows,
  row: TransactionEntity,
): Promise<{ hash: string; raw: string } | undefined> {
  const { id, nonce, attempt, sender, request } = row;
  const kind = kindOf(row);
  const accepted = await rows.attempts.findOne({
    select: { transactionId: true, number: true, hash: true, raw: true },
    where: { transactionId: id, nonce, kind, acknowledgedAt: Not(IsNull()) },
    order: { number: 'DESC' },
  });
  if (!accepted?.raw || accepted.hash === attempt?.hash) return undefined;
  const { hash, raw } = accepted;
  // A replacement by PUT may have changed the content.
  const isCurrent = kind === 'noop' || chain.isSignedForm(raw, sender, chain.subjectOf(request, nonce));
  return isCurrent ? { hash, raw } : undefined;
}
