import { canonicalJson } from '../../../secrets/canonical-json';
import type { EvmPolicies } from '../evm-policies.dto';
import { isRestricted } from '../restriction';
import type { TypedDataPattern } from '../typed-data-policy.dto';
import { areImplied, type Comparisons } from './field-constraints';

/**
 * The maximum number of comparisons of entries and values for one change. They block the process for some hundredths of
 * a second.
 */
const MAX_COMPARISONS = 2_000_000;

/** Whether two hashes, or full typed data, can be signed that could not be before. */
export const loosensTypedData = (before: EvmPolicies, after: EvmPolicies): boolean =>
  (signsHashes(after) && !signsHashes(before)) || signsMoreData(before, after);

const signsHashes = (policies: EvmPolicies): boolean =>
  !isRestricted(policies) || policies.typed_data?.allow_blind_hashes === true;

/**
 * Each new entry must be implied by one old entry; it is not recognised if only several old ones together cover it. The
 * result is exact if entries are removed, reordered or, unless there are too many to compare, narrowed.
 */
function signsMoreData(before: EvmPolicies, after: EvmPolicies): boolean {
  const known = patternsOf(before);
  const wanted = patternsOf(after);
  if (known === 'all') return false;
  if (wanted === 'all') return true;
  const unchanged = new Set(known.map(canonicalJson));
  const comparisons: Comparisons = { left: MAX_COMPARISONS };
  return wanted
    .filter((pattern) => !unchanged.has(canonicalJson(pattern)))
    .some((pattern) => !known.some((wide) => covers(wide, pattern, comparisons)));
}

function patternsOf(policies: EvmPolicies): readonly TypedDataPattern[] | 'all' {
  if (policies.typed_data) return policies.typed_data.allowed ?? 'all';
  return isRestricted(policies) ? [] : 'all';
}

const covers = (wide: TypedDataPattern, narrow: TypedDataPattern, comparisons: Comparisons): boolean =>
  (comparisons.left -= 1) >= 0 &&
  (wide.chain_id === undefined || wide.chain_id.toString() === narrow.chain_id?.toString()) &&
  (wide.verifying_contract === undefined || wide.verifying_contract === narrow.verifying_contract) &&
  (wide.primary_type === undefined || wide.primary_type === narrow.primary_type) &&
  areImplied(wide.fields, narrow.fields, comparisons);
