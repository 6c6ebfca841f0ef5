import { sendsPrivately } from '../../relayers/policies/private-transactions';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';

/**
 * Whether the attempts of a transaction are sent to private endpoints only: this depends on the relayer's current
 * policy, until the network allows a fallback to public endpoints. The wait for the fallback begins only when the
 * transaction, or its replacement, is signed.
 */
export function isPrivate(
  { relayer, chain, view }: Pick<LaneContext, 'relayer' | 'chain' | 'view'>,
  { signedBlock }: Pick<TransactionEntity, 'signedBlock'>,
): boolean {
  if (!sendsPrivately(relayer.policies)) return false;
  const blocks = chain.privateFallbackBlocks;
  return blocks === null || signedBlock === null || view.head - signedBlock < blocks;
}
