import type { Inclusion, Revert } from '../../chains/transaction-chain';
import { statusReason } from '../status-reason';
import type { TransactionChanges } from '../transaction-rows';
import type { StoredRequest, TransactionEntity } from '../transaction.entity';
import type { TransactionStatus } from '../transaction-status';
import type { Chain } from './lane-context';

export const noRevert = { revertReason: null, revertData: null };

/** The changes of a transaction whose inclusion is final, with the reason if it reverted. */
export async function finalChanges(
  chain: Chain,
  row: TransactionEntity,
  inclusion: Inclusion,
): Promise<TransactionChanges> {
  const status = finalStatusOf(row, inclusion);
  const now = new Date();
  const final = {
    status,
    inclusion,
    ...(status === 'confirmed' && { confirmedAt: now, statusReason: null }),
    // The result of an earlier simulation is not the reason for the outcome.
    ...(status !== 'failed' && noRevert),
  };
  if (inclusion.succeeded || row.attempt?.kind === 'noop') return final;
  const revert = await chain.revertOf(row.sender, executedBy(row), inclusion);
  return { ...final, ...revertChanges(revert) };
}

/** The request that the mined attempt executed: the current request may have replaced it since. */
function executedBy({ request, attempt }: TransactionEntity): StoredRequest {
  if (!attempt) return request;
  const { to, value, data } = attempt;
  return { ...request, to, value, ...(data !== undefined && { data }) };
}

function finalStatusOf(row: TransactionEntity, { succeeded }: Inclusion): TransactionStatus {
  if (row.attempt?.kind === 'noop') return row.abandonedAs ?? 'confirmed';
  return succeeded ? 'confirmed' : 'failed';
}

function revertChanges(revert: Revert | null): TransactionChanges {
  const reason = revert?.reason ?? null;
  return {
    statusReason: statusReason(`Transaction reverted on-chain${reason === null ? '' : `: ${reason}`}`),
    revertReason: reason === null ? null : statusReason(reason),
    revertData: revert?.data ?? null,
  };
}
