import type { UnsignedTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import type { TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';

/** The number of attempts that are checked, newest first: recovering a signature takes a millisecond or two. */
const MAX_CHECKED = 100;

/**
 * Whether one of the stored attempts proves that the key of the sender has signed this content with this nonce before.
 *
 * @param subject the content, with any gas and fees
 */
export async function wasSigned(
  { chain }: Pick<LaneContext, 'chain'>,
  rows: TransactionRows,
  { id, nonce, sender }: TransactionEntity,
  subject: UnsignedTransaction,
): Promise<boolean> {
  const attempts = (await rows.attemptsOf(id)).filter((attempt) => attempt.nonce === nonce);
  for (const { kind, hash } of attempts.reverse().slice(0, MAX_CHECKED)) {
    const raw = kind === 'noop' ? null : await rows.bytesOf(id, hash);
    if (raw !== null && chain.isSignedForm(raw, sender, subject)) return true;
  }
  return false;
}
