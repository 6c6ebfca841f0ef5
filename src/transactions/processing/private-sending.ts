import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';

/**
 * Whether the attempts of a transaction go to private endpoints only: as the policy of the relayer is now, until the network
 * lets them fall back to the public ones. What was not signed yet, or was replaced, has not begun to wait.
 */
export function isPrivate(
  { relayer, chain, view }: Pick<LaneContext, 'relayer' | 'chain' | 'view'>,
  { signedBlock }: Pick<TransactionEntity, 'signedBlock'>,
): boolean {
  if (!sendsPrivately(relayer.policies)) return false;
  const blocks = chain.privateFallbackBlocks;
  return blocks === null || signedBlock === null || view.head - signedBlock < blocks;
}

export const sendsPrivately = ({ private_transactions: isWanted }: EvmPolicies): boolean => isWanted === true;
