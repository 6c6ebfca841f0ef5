import type { EvmPolicies } from '../evm-policies.dto';
import { topUpRuleOf } from '../top-up-policy.dto';
import { loosensMessages } from './messages';
import { loosensPrice, loosensReceivers, loosensTransactions } from './transactions';
import { loosensTypedData } from './typed-data';

type Loosens = (before: EvmPolicies, after: EvmPolicies) => boolean;

const never: Loosens = () => false;

/**
 * When a change of each member loosens. Members that decide how something is sent, or when, but not what can be signed,
 * never do. docs/operations/approvals.md has the same table in words.
 */
export const LOOSENS_MEMBER: Readonly<Record<keyof EvmPolicies, Loosens>> = {
  typed_data: loosensTypedData,
  messages: loosensMessages,
  transactions: loosensTransactions,
  whitelist_receivers: loosensReceivers,
  gas_price_cap: loosensPrice,
  top_up: loosensTopUp,
  // On a network without a private endpoint it refuses all transactions.
  private_transactions: (before, after) =>
    before.private_transactions === true && after.private_transactions !== true,
  // Whoever may send a transaction may give it the gas limit and the kind of fees that these would choose.
  gas_limit_estimation: never,
  eip1559_pricing: never,
  // They watch a balance.
  min_balance: never,
  low_balance: never,
  include_revert_data: never,
};

/**
 * Whether a change of the policies of an EVM relayer loosens them: whether anything can be signed or sent afterwards, in any form,
 * that could not before. Never false where that is so. Where exactness is hard it may be true for a change that does not
 * loosen; for removing entries, lowering limits and adding restrictions it is exact.
 *
 * @param before in their stored form, as `after`
 */
export const loosens = (before: EvmPolicies, after: EvmPolicies): boolean =>
  Object.values(LOOSENS_MEMBER).some((loosensMember) => loosensMember(before, after));

/** A top-up sends what another relayer has. */
function loosensTopUp(before: EvmPolicies, after: EvmPolicies): boolean {
  const [old, rule] = [topUpRuleOf(before), topUpRuleOf(after)];
  if (!rule) return false;
  return old?.fromRelayer !== rule.fromRelayer || rule.below > old.below || rule.to > old.to;
}
