import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type JsonInteger, UINT64_MAX } from '../../common/validation/big-integer';
import { IsText, textSchema } from '../../common/validation/fields';
import { IsSolanaAddress, SOLANA_ADDRESS_PATTERN } from '../../chains/solana/solana-address';
import {
  AmountMember,
  BooleanMember,
  ChoiceMember,
  CronMember,
  IntegerMember,
  ObjectListMember,
  ObjectMember,
  OptionalMember,
  PercentageMember,
  TextListMember,
} from './policy-fields';
import { FEE_PAYMENT_STRATEGIES, MAX_FEE_MARGIN_PERCENTAGE, TokenSwap } from './token-swap.dto';

const EXAMPLE_ACCOUNT = ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'];

export class SolanaAllowedToken {
  @ApiProperty({ type: String, pattern: SOLANA_ADDRESS_PATTERN, example: EXAMPLE_ACCOUNT[0] })
  @IsSolanaAddress()
  mint!: string;

  @IntegerMember(255)
  decimals?: number;

  @ApiPropertyOptional({ ...textSchema(1, 64), nullable: true, example: 'USDC' })
  @OptionalMember()
  @IsText(1, 64)
  symbol?: string;

  @AmountMember(UINT64_MAX)
  max_allowed_fee?: JsonInteger;

  @ObjectMember(() => TokenSwap)
  swap_config?: TokenSwap;
}

export class JupiterSwapOptions {
  @AmountMember(UINT64_MAX)
  priority_fee_max_lamports?: JsonInteger;

  @ChoiceMember(['medium', 'high', 'veryHigh'])
  priority_level?: string;

  @BooleanMember(true)
  dynamic_compute_unit_limit?: boolean;
}

export class SolanaSwap {
  @ChoiceMember(['jupiter-swap', 'jupiter-ultra', 'noop'])
  strategy?: string;

  @CronMember()
  cron_schedule?: string;

  @AmountMember(UINT64_MAX)
  min_balance_threshold?: JsonInteger;

  @ObjectMember(() => JupiterSwapOptions)
  jupiter_swap_options?: JupiterSwapOptions;
}

/** What a Solana relayer may and must do. Amounts are in lamports. */
export class SolanaPolicies {
  @TextListMember(IsSolanaAddress({ each: true }), SOLANA_ADDRESS_PATTERN, EXAMPLE_ACCOUNT)
  allowed_programs?: string[];

  @IntegerMember(255)
  max_signatures?: number;

  @IntegerMember(65_535)
  max_tx_data_size?: number;

  @AmountMember(UINT64_MAX, 10_000_000)
  min_balance?: JsonInteger;

  @ObjectListMember(() => SolanaAllowedToken)
  allowed_tokens?: SolanaAllowedToken[];

  @ChoiceMember(FEE_PAYMENT_STRATEGIES)
  fee_payment_strategy?: string;

  @PercentageMember(MAX_FEE_MARGIN_PERCENTAGE)
  fee_margin_percentage?: number;

  @TextListMember(IsSolanaAddress({ each: true }), SOLANA_ADDRESS_PATTERN, EXAMPLE_ACCOUNT)
  allowed_accounts?: string[];

  @TextListMember(IsSolanaAddress({ each: true }), SOLANA_ADDRESS_PATTERN, EXAMPLE_ACCOUNT)
  disallowed_accounts?: string[];

  @AmountMember(UINT64_MAX)
  max_allowed_fee_lamports?: JsonInteger;

  @ObjectMember(() => SolanaSwap)
  swap_config?: SolanaSwap;
}

/** Checks the rules between members. @returns a description of the first one that is broken, if any */
export function solanaConflict(policies: SolanaPolicies): string | undefined {
  const swap = policies.swap_config;
  const options = swap?.jupiter_swap_options;
  if (policies.allowed_accounts && policies.disallowed_accounts) {
    return 'policies.allowed_accounts and policies.disallowed_accounts exclude each other';
  }
  if (swap && policies.fee_payment_strategy !== 'user') {
    return 'policies.swap_config needs policies.fee_payment_strategy to be user';
  }
  if (options && swap.strategy !== 'jupiter-swap') {
    return 'policies.swap_config.jupiter_swap_options needs the strategy jupiter-swap';
  }
  if (options?.priority_fee_max_lamports === 0) {
    return 'policies.swap_config.jupiter_swap_options.priority_fee_max_lamports must be greater than 0';
  }
  if (
    options &&
    (options.priority_level === undefined) !== (options.priority_fee_max_lamports === undefined)
  ) {
    return 'policies.swap_config.jupiter_swap_options: priority_level and priority_fee_max_lamports go together';
  }
  return undefined;
}
