import type { EvmPolicies } from '../evm-policies.dto';
import { MESSAGE_KINDS } from '../message-policy.dto';
import { isRestricted } from '../restriction';

/** Whether messages can be signed that could not be signed before. */
export const loosensMessages = (before: EvmPolicies, after: EvmPolicies): boolean =>
  rankOf(after) > rankOf(before);

/** Each kind includes the ones before it. */
function rankOf(policies: EvmPolicies): number {
  const whenAbsent = isRestricted(policies) ? 'none' : 'any';
  return MESSAGE_KINDS.indexOf(policies.messages?.allow ?? whenAbsent);
}
