import { type JsonInteger, UINT128_MAX } from '../../common/validation/big-integer';
import { MessagePolicy } from './message-policy.dto';
import { AddressListMember, AmountMember, BooleanMember, ObjectMember } from './policy-fields';
import { TopUpPolicy, topUpConflict } from './top-up-policy.dto';
import { spendLimitConflict, TransactionPolicy } from './transaction-policy.dto';
import { TypedDataPolicy, typedDataConflict } from './typed-data-policy.dto';

/**
 * What an EVM relayer may and must do; absent members have their defaults. Once any of `typed_data`, `messages`
 * and `transactions` is set, every form of signature that none of them allows is rejected.
 */
export class EvmPolicies {
  /** Whether new transactions have EIP-1559 fees, if the network supports them; false: one gas price. */
  @BooleanMember(true)
  eip1559_pricing?: boolean;

  /** Whether the service finds the gas limit of transactions that come without one; false: they are refused. */
  @BooleanMember(true)
  gas_limit_estimation?: boolean;

  /** In wei. Applies to transactions only. */
  @AmountMember(UINT128_MAX, 100_000_000_000)
  gas_price_cap?: JsonInteger;

  /** In wei. */
  @AmountMember(UINT128_MAX, 1)
  min_balance?: JsonInteger;

  /** In wei. A balance that falls below it is the event `relayer_low_balance`; without it there is none. */
  @AmountMember(UINT128_MAX, '50000000000000000')
  low_balance?: JsonInteger;

  /** Another relayer that sends coins to this one when it has few. */
  @ObjectMember(() => TopUpPolicy)
  top_up?: TopUpPolicy;

  /** Transactions are sent only to `private_rpc_urls` of the network, and refused if it has none. */
  @BooleanMember(false)
  private_transactions?: boolean;

  /** Addresses that transactions may go to, checksummed (EIP-55). Applies to transactions only. */
  @AddressListMember()
  whitelist_receivers?: string[];

  /** Has no effect: responses always have the revert data. */
  @BooleanMember(false)
  include_revert_data?: boolean;

  @ObjectMember(() => TypedDataPolicy)
  typed_data?: TypedDataPolicy;

  @ObjectMember(() => MessagePolicy)
  messages?: MessagePolicy;

  @ObjectMember(() => TransactionPolicy)
  transactions?: TransactionPolicy;
}

/** Checks the rules between members. @returns a description of the first one that is broken, if any */
export const evmConflict = (policies: EvmPolicies): string | undefined =>
  typedDataConflict(policies.typed_data) ??
  spendLimitConflict(policies.transactions) ??
  topUpConflict(policies);
