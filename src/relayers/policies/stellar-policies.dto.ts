import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, IsIn, IsObject } from 'class-validator';
import { type JsonInteger, UINT64_MAX } from '../../common/validation/big-integer';
import { orNull } from '../../common/openapi/schemas';
import { JSON_OBJECT } from '../../common/openapi/envelope-schemas';
import { IsStellarAsset, STELLAR_ASSET_PATTERN } from '../../chains/stellar/stellar-asset';
import {
  AmountMember,
  BooleanMember,
  CronMember,
  IntegerMember,
  ObjectListMember,
  ObjectMember,
  OptionalMember,
  PercentageMember,
  TextListMember,
} from './policy-fields';
import { FEE_PAYMENT_STRATEGIES, MAX_FEE_MARGIN_PERCENTAGE, TokenSwap } from './token-swap.dto';

const SWAP_STRATEGIES = ['order-book', 'soroswap'];

export class StellarAllowedToken {
  /** `native`, `XLM`, `CODE:ISSUER` or the address of a contract. */
  @ApiProperty({ type: String, pattern: STELLAR_ASSET_PATTERN, example: 'native' })
  @IsStellarAsset()
  asset!: string;

  /** What the network reports about the asset; stored unchanged. */
  @ApiPropertyOptional(orNull(JSON_OBJECT))
  @OptionalMember()
  @IsObject()
  metadata?: Record<string, unknown>;

  @AmountMember(UINT64_MAX)
  max_allowed_fee?: JsonInteger;

  @ObjectMember(() => TokenSwap)
  swap_config?: TokenSwap;
}

export class StellarSwap {
  @TextListMember(
    IsIn(SWAP_STRATEGIES, { each: true, message: 'each item of $property must be order-book or soroswap' }),
    `^(${SWAP_STRATEGIES.join('|')})$`,
    ['order-book'],
  )
  @ArrayNotEmpty({ message: '$property must not be empty' })
  strategies?: string[];

  @CronMember()
  cron_schedule?: string;

  @AmountMember(UINT64_MAX)
  min_balance_threshold?: JsonInteger;
}

/** What a Stellar relayer may and must do. Amounts are in stroops. */
export class StellarPolicies {
  @AmountMember(UINT64_MAX, 1_000_000)
  min_balance?: JsonInteger;

  @IntegerMember(2 ** 32 - 1)
  max_fee?: number;

  @AmountMember(UINT64_MAX, 30)
  timeout_seconds?: JsonInteger;

  @BooleanMember(false)
  concurrent_transactions?: boolean;

  @ObjectListMember(() => StellarAllowedToken)
  allowed_tokens?: StellarAllowedToken[];

  @ApiProperty({ type: String, pattern: `^(${FEE_PAYMENT_STRATEGIES.join('|')})$`, example: 'relayer' })
  @IsIn(FEE_PAYMENT_STRATEGIES, { message: '$property is required and must be user or relayer' })
  fee_payment_strategy!: string;

  @PercentageMember(100)
  slippage_percentage?: number;

  @PercentageMember(MAX_FEE_MARGIN_PERCENTAGE)
  fee_margin_percentage?: number;

  @ObjectMember(() => StellarSwap)
  swap_config?: StellarSwap;
}
