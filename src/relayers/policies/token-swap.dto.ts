import { type JsonInteger, UINT64_MAX } from '../../common/validation/big-integer';
import { AmountMember, PercentageMember } from './policy-fields';

/** How fees paid in a token are exchanged. */
export class TokenSwap {
  @PercentageMember(100)
  slippage_percentage?: number;

  @AmountMember(UINT64_MAX)
  min_amount?: JsonInteger;

  @AmountMember(UINT64_MAX)
  max_amount?: JsonInteger;

  @AmountMember(UINT64_MAX)
  retain_min_amount?: JsonInteger;
}

export const FEE_PAYMENT_STRATEGIES = ['user', 'relayer'] as const;
export const MAX_FEE_MARGIN_PERCENTAGE = 1_000_000;
