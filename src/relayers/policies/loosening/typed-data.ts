import type { EvmPolicies } from '../evm-policies.dto';
import type { TypedDataPattern } from '../typed-data-policy.dto';
import { areImplied } from './field-constraints';
import { isRestricted } from './restriction';

/** Whether two hashes, or full typed data, are signed that were not signed before. */
export const loosensTypedData = (before: EvmPolicies, after: EvmPolicies): boolean =>
  (signsHashes(after) && !signsHashes(before)) || signsMoreData(before, after);

const signsHashes = (policies: EvmPolicies): boolean =>
  !isRestricted(policies) || policies.typed_data?.allow_blind_hashes === true;

/**
 * Each new entry must be within a single old one, even if several old ones cover it together. Exact if entries are only
 * removed, narrowed or reordered.
 */
function signsMoreData(before: EvmPolicies, after: EvmPolicies): boolean {
  const known = patternsOf(before);
  const wanted = patternsOf(after);
  if (known === 'all') return false;
  if (wanted === 'all') return true;
  return wanted.some((pattern) => !known.some((wide) => covers(wide, pattern)));
}

function patternsOf(policies: EvmPolicies): readonly TypedDataPattern[] | 'all' {
  if (policies.typed_data) return policies.typed_data.allowed ?? 'all';
  return isRestricted(policies) ? [] : 'all';
}

const covers = (wide: TypedDataPattern, narrow: TypedDataPattern): boolean =>
  (wide.chain_id === undefined || wide.chain_id.toString() === narrow.chain_id?.toString()) &&
  (wide.verifying_contract === undefined || wide.verifying_contract === narrow.verifying_contract) &&
  (wide.primary_type === undefined || wide.primary_type === narrow.primary_type) &&
  areImplied(wide.fields, narrow.fields);
