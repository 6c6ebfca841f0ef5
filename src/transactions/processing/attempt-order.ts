import type { AttemptOrder, ReplacedAttempt } from '../../chains/transaction-chain';
import type { TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';

/** What the next attempt of a transaction is drafted from. */
export async function orderOf(
  { memory }: LaneContext,
  rows: TransactionRows,
  row: TransactionEntity,
  decided: Pick<AttemptOrder, 'kind' | 'limits'>,
): Promise<AttemptOrder> {
  return {
    ...decided,
    sender: row.sender,
    nonce: row.nonce,
    request: row.request,
    wasSigned: row.signedBlock !== null,
    replaces: await replacedBy(rows, row),
    isAfresh: memory.isTooExpensive(row),
  };
}

/** The attempts with the same nonce that nodes may have. */
async function replacedBy(rows: TransactionRows, row: TransactionEntity): Promise<ReplacedAttempt[]> {
  if (row.hashes.length === 0) return [];
  const attempts = await rows.attemptsOf(row.id);
  return attempts
    .filter(({ nonce }) => nonce === row.nonce)
    .map(({ content, acknowledgedAt }) => ({ ...content, wasAcknowledged: acknowledgedAt !== null }));
}
