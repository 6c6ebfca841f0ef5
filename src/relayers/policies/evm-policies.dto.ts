import { type JsonInteger, UINT128_MAX } from '../../common/validation/big-integer';
import { AddressListMember, AmountMember, BooleanMember, ObjectMember } from './policy-fields';
import { TypedDataPolicy } from './typed-data-policy.dto';

/** What an EVM relayer may and must do; members that are absent have their defaults. */
export class EvmPolicies {
  @BooleanMember(true)
  eip1559_pricing?: boolean;

  @BooleanMember(true)
  gas_limit_estimation?: boolean;

  /** Wei. */
  @AmountMember(UINT128_MAX, 100_000_000_000)
  gas_price_cap?: JsonInteger;

  /** Wei. */
  @AmountMember(UINT128_MAX, 1)
  min_balance?: JsonInteger;

  @BooleanMember(false)
  private_transactions?: boolean;

  /** Addresses that transactions may go to, checksummed (EIP-55). */
  @AddressListMember()
  whitelist_receivers?: string[];

  @BooleanMember(false)
  include_revert_data?: boolean;

  @ObjectMember(() => TypedDataPolicy)
  typed_data?: TypedDataPolicy;
}
