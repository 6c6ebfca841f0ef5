import type { EvmPolicies } from '../evm-policies.dto';
import { topUpRuleOf } from '../top-up-policy.dto';
import { loosensMessages } from './messages';
import { loosensPrice, loosensReceivers, loosensTransactions } from './transactions';
import { loosensTypedData } from './typed-data';

type Loosens = (before: EvmPolicies, after: EvmPolicies) => boolean;

const never: Loosens = () => false;

/**
 * For each member, whether a change loosens it. Members that determine how or when something is sent, but not what can
 * be signed, never loosen. docs/operations/approvals.md contains the same table in words.
 */
const LOOSENS_MEMBER: Readonly<Record<keyof EvmPolicies, Loosens>> = {
  typed_data: loosensTypedData,
  messages: loosensMessages,
  transactions: loosensTransactions,
  whitelist_receivers: loosensReceivers,
  gas_price_cap: loosensPrice,
  top_up: loosensTopUp,
  // On a network without private endpoints this policy refuses all transactions, so removing it loosens.
  private_transactions: (before, after) =>
    before.private_transactions === true && after.private_transactions !== true,
  // A client that may send a transaction can itself choose the gas limit and the kind of fees.
  gas_limit_estimation: never,
  eip1559_pricing: never,
  // These concern only the balance and what is reported.
  min_balance: never,
  low_balance: never,
  include_revert_data: never,
};

/**
 * Whether a change to the policies of an EVM relayer loosens them: whether anything can be signed or sent afterwards,
 * in any form, that could not be before, or whether a limit is raised or removed. It is never false for a change that
 * loosens. It may be true for one that does not, if an exact decision would be hard; it is exact for removing entries,
 * lowering limits and adding restrictions.
 *
 * @param before in their stored form, like `after`
 */
export const loosens = (before: EvmPolicies, after: EvmPolicies): boolean =>
  Object.values(LOOSENS_MEMBER).some((loosensMember) => loosensMember(before, after));

/** A top-up spends coins of another relayer. */
function loosensTopUp(before: EvmPolicies, after: EvmPolicies): boolean {
  const [old, rule] = [topUpRuleOf(before), topUpRuleOf(after)];
  if (!rule) return false;
  return old?.fromRelayer !== rule.fromRelayer || rule.below > old.below || rule.to > old.to;
}
