import type { EvmPolicies } from '../evm-policies.dto';
import type { AllowedMethods, SpendLimit, TransactionPolicy } from '../transaction-policy.dto';
import { isRaised } from './limits';
import { isRestricted } from './restriction';

type Loosens<Policies> = (before: Policies, after: Policies) => boolean;

/**
 * Whether transactions are signed or sent that were not before. Limits are compared one by one, and all of them apply:
 * a change that raises one and lowers another loosens.
 */
export function loosensTransactions(before: EvmPolicies, after: EvmPolicies): boolean {
  if (!signsAny(after)) return false;
  if (!signsAny(before) || (createsContracts(after) && !createsContracts(before))) return true;
  const [old = {}, changed = {}] = [before.transactions, after.transactions];
  return Object.values(LOOSENS_LIMIT).some((loosens) => loosens(old, changed));
}

/** Whether receivers were added, or the list removed. */
export const loosensReceivers = (before: EvmPolicies, after: EvmPolicies): boolean => {
  const known = before.whitelist_receivers;
  if (known === undefined || !signsAny(after)) return false;
  return after.whitelist_receivers?.some((address) => !known.includes(address)) ?? true;
};

/** Whether a higher price of gas is paid. */
export const loosensPrice = (before: EvmPolicies, after: EvmPolicies): boolean =>
  signsAny(after) && isRaised(before.gas_price_cap, after.gas_price_cap);

const LOOSENS_LIMIT: Readonly<Record<keyof TransactionPolicy, Loosens<TransactionPolicy>>> = {
  max_value: (before, after) => isRaised(before.max_value, after.max_value),
  max_fee: (before, after) => isRaised(before.max_fee, after.max_fee),
  max_gas_limit: (before, after) => isRaised(before.max_gas_limit, after.max_gas_limit),
  approval_above: (before, after) => isRaised(before.approval_above, after.approval_above),
  // Depends on other members too: see createsContracts.
  allow_contract_creation: () => false,
  allowed_methods: (before, after) => loosensMethods(before.allowed_methods, after.allowed_methods),
  spend_limits: (before, after) => loosensSpending(before.spend_limits ?? [], after.spend_limits ?? []),
};

const signsAny = (policies: EvmPolicies): boolean =>
  (!isRestricted(policies) || policies.transactions !== undefined) &&
  policies.whitelist_receivers?.length !== 0;

function createsContracts({ whitelist_receivers: whitelist, transactions = {} }: EvmPolicies): boolean {
  const { allow_contract_creation: isAllowed, allowed_methods: methods } = transactions;
  return whitelist === undefined && (isAllowed ?? methods === undefined);
}

/** An entry without `to` counts as wider than any entries with it, even if `whitelist_receivers` has no other receiver. */
function loosensMethods(
  before: readonly AllowedMethods[] | undefined,
  after: readonly AllowedMethods[] | undefined,
): boolean {
  if (before === undefined) return false;
  if (after === undefined) return true;
  return after.some(({ to, selectors }) =>
    selectors.some((selector) => !before.some((entry) => isListed(entry, to, selector))),
  );
}

const isListed = (entry: AllowedMethods, to: string | undefined, selector: string): boolean =>
  (entry.to === undefined || entry.to === to) && entry.selectors.includes(selector);

const PERIODS = ['1h', '24h', '7d'] as const satisfies SpendLimit['per'][];

/** Any limit also rejects transactions that are only signed, because they cannot be counted. */
function loosensSpending(before: readonly SpendLimit[], after: readonly SpendLimit[]): boolean {
  if (before.length > 0 && after.length === 0) return true;
  return before.some((limit) =>
    (['max_value', 'max_fee'] as const).some(
      (member) => limit[member] !== undefined && !after.some((other) => isAsTight(other, limit, member)),
    ),
  );
}

/** Spending in a period never exceeds spending in a longer one. */
const isAsTight = (after: SpendLimit, before: SpendLimit, member: 'max_value' | 'max_fee'): boolean =>
  PERIODS.indexOf(after.per) >= PERIODS.indexOf(before.per) && !isRaised(before[member], after[member]);
