import type { EvmPolicies } from '../evm-policies.dto';
import { MESSAGE_KINDS } from '../message-policy.dto';
import { isRestricted } from './restriction';

/** Whether messages are signed that were not signed before. */
export const loosensMessages = (before: EvmPolicies, after: EvmPolicies): boolean =>
  rankOf(after) > rankOf(before);

/** Each kind includes those before it. */
function rankOf(policies: EvmPolicies): number {
  const whenAbsent = isRestricted(policies) ? 'none' : 'any';
  return MESSAGE_KINDS.indexOf(policies.messages?.allow ?? whenAbsent);
}
