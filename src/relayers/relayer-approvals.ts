import type { ApprovalKind } from '../config/approvals-format';
import type { EvmPolicies } from './policies/evm-policies.dto';
import { loosens } from './policies/loosening/loosens';
import type { RelayerEntity } from './relayer.entity';

type Before = Pick<RelayerEntity, 'networkType' | 'policies' | 'paused' | 'group'>;

/**
 * Why a change of a relayer may require approval. Nothing is signed for relayers on networks that are not EVM, so no
 * change to their policies loosens anything.
 */
export function approvalKindsOf(before: Before, changes: Partial<RelayerEntity>): ApprovalKind[] {
  const kinds: ApprovalKind[] = [];
  if (changes.policies && before.networkType === 'evm' && loosens(policiesOf(before), changes.policies))
    kinds.push('loosen_policy');
  if (changes.paused === false && before.paused) kinds.push('unpause');
  if (isMovedInto(changes.group, before.group)) kinds.push('api_key_scope');
  return kinds;
}

/**
 * A new relayer always requires approval, whatever its policies and even if it is paused, because its account can then
 * sign. It may take the place of one that was deleted, so it also requires what a change into its state would: deleting
 * relayers needs no approval.
 *
 * @param isNamed whether API keys reach the relayer because they name its id
 */
export function approvalKindsOfNew(
  { group, paused }: Pick<RelayerEntity, 'group' | 'paused'>,
  isNamed: boolean,
): ApprovalKind[] {
  const kinds: ApprovalKind[] = ['loosen_policy'];
  if (!paused) kinds.push('unpause');
  if (isNamed || isMovedInto(group, null)) kinds.push('api_key_scope');
  return kinds;
}

const policiesOf = ({ policies }: Before): EvmPolicies => policies;

/** If a relayer is added to a group, the API keys that reach the group can reach more. */
const isMovedInto = (group: string | null | undefined, before: string | null): boolean =>
  group !== undefined && group !== null && group !== before;
