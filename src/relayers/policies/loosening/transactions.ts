import type { JsonInteger } from '../../../common/validation/big-integer';
import type { EvmPolicies } from '../evm-policies.dto';
import { isRestricted } from '../restriction';
import {
  type AllowedMethods,
  SPEND_PERIODS,
  type SpendLimit,
  type TransactionPolicy,
} from '../transaction-policy.dto';
import { isRaised } from './limits';

type Loosens<Policies> = (before: Policies, after: Policies) => boolean;

/**
 * Whether transactions can be signed or sent that could not be before, or a limit was removed. Limits are compared one
 * by one, although all of them apply: a change that raises one and lowers another loosens.
 *
 * They are compared even if no new transaction can be signed afterwards: what was signed before can still be sent with
 * higher fees or be replaced, and those who approve new receivers or transactions later rely on the other limits.
 * Therefore a change that removes `transactions` loosens if that had limits.
 */
export function loosensTransactions(before: EvmPolicies, after: EvmPolicies): boolean {
  if (signsForm(after) && !signsForm(before)) return true;
  const [old = {}, changed = {}] = [before.transactions, after.transactions];
  return Object.values(LOOSENS_LIMIT).some((loosens) => loosens(old, changed));
}

/** Whether receivers were added, or the list removed. */
export const loosensReceivers = (
  { whitelist_receivers: before }: EvmPolicies,
  { whitelist_receivers: after }: EvmPolicies,
): boolean => {
  if (before === undefined) return false;
  const known = new Set(before);
  return after?.some((address) => !known.has(address)) ?? true;
};

/** Whether a higher gas price is allowed. */
export const loosensPrice = (before: EvmPolicies, after: EvmPolicies): boolean =>
  isRaised(before.gas_price_cap, after.gas_price_cap);

const LOOSENS_LIMIT: Readonly<Record<keyof TransactionPolicy, Loosens<TransactionPolicy>>> = {
  max_value: (before, after) => isRaised(before.max_value, after.max_value),
  max_fee: (before, after) => isRaised(before.max_fee, after.max_fee),
  max_gas_limit: (before, after) => isRaised(before.max_gas_limit, after.max_gas_limit),
  approval_above: (before, after) => isRaised(before.approval_above, after.approval_above),
  allow_contract_creation: (before, after) => createsContracts(after) && !createsContracts(before),
  allowed_methods: (before, after) => loosensMethods(before.allowed_methods, after.allowed_methods),
  spend_limits: (before, after) => loosensSpending(before.spend_limits ?? [], after.spend_limits ?? []),
};

/** Whether the form is allowed, whatever its limits. */
const signsForm = (policies: EvmPolicies): boolean =>
  !isRestricted(policies) || policies.transactions !== undefined;

/** Whether contracts can be created without `whitelist_receivers`, beside which that is never possible. */
const createsContracts = ({
  allow_contract_creation: isAllowed,
  allowed_methods,
}: TransactionPolicy): boolean => isAllowed ?? allowed_methods === undefined;

/**
 * An entry without `to` counts as wider than any entries with it, even if `whitelist_receivers` allows no other
 * receiver.
 */
function loosensMethods(
  before: readonly AllowedMethods[] | undefined,
  after: readonly AllowedMethods[] | undefined,
): boolean {
  if (before === undefined) return false;
  if (after === undefined) return true;
  const known = new Set(before.flatMap(({ to, selectors }) => selectors.map((one) => methodOf(to, one))));
  return after.some(({ to, selectors }) =>
    selectors.some((one) => !known.has(methodOf(to, one)) && !known.has(methodOf(undefined, one))),
  );
}

/** @param to undefined for any contract */
const methodOf = (to: string | undefined, selector: string): string => `${to ?? ''} ${selector}`;

/** Any limit also refuses transactions that are only signed, because their spending cannot be counted. */
function loosensSpending(before: readonly SpendLimit[], after: readonly SpendLimit[]): boolean {
  if (before.length > 0 && after.length === 0) return true;
  return (['max_value', 'max_fee'] as const).some((member) =>
    SPEND_PERIODS.some((per, i) => {
      const old = lowest(before, [per], member);
      // Spending in a period never exceeds spending in a longer one.
      return old !== undefined && isRaised(old, lowest(after, SPEND_PERIODS.slice(i), member));
    }),
  );
}

/** The lowest limit for any of these periods; undefined if there is none. */
function lowest(
  limits: readonly SpendLimit[],
  periods: readonly SpendLimit['per'][],
  member: 'max_value' | 'max_fee',
): JsonInteger | undefined {
  return limits
    .filter(({ per }) => periods.includes(per))
    .map((limit) => limit[member])
    .reduce((low, one) => (low === undefined || isRaised(one, low) ? one : low), undefined);
}
