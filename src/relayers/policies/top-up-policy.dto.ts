import { ApiProperty } from '@nestjs/swagger';
import { type JsonInteger, parseBigInteger, UINT128_MAX } from '../../common/validation/big-integer';
import { IDENTIFIER, IsIdentifier } from '../../common/validation/fields';
import { RequiredAmountMember } from './policy-fields';

/** Where a relayer gets coins when its balance is low. All members are required. Amounts are in wei. */
export class TopUpPolicy {
  /** The relayer that sends them, within its own policies; another one of the same network. */
  @ApiProperty({ type: String, pattern: IDENTIFIER.source, example: 'treasury' })
  @IsIdentifier()
  from_relayer!: string;

  /** A balance below this is topped up. */
  @RequiredAmountMember(UINT128_MAX, '100000000000000000')
  below!: JsonInteger;

  /** The balance that a top-up leads to; above `below`. */
  @RequiredAmountMember(UINT128_MAX, '500000000000000000')
  to!: JsonInteger;
}

/** Policies that may have a top-up. */
export interface WithTopUp {
  top_up?: TopUpPolicy;
}

/** A top-up rule with its amounts parsed, in wei. */
export interface TopUpRule {
  fromRelayer: string;
  below: bigint;
  to: bigint;
}

/** The top-up rule of a relayer's policies, if there is one. */
export function topUpRuleOf({ top_up: policy }: WithTopUp): TopUpRule | undefined {
  const below = parseBigInteger(policy?.below);
  const to = parseBigInteger(policy?.to);
  return policy === undefined || below === undefined || to === undefined
    ? undefined
    : { fromRelayer: policy.from_relayer, below, to };
}

/** Rejects a top-up that would not raise the balance: it must be a mistake. */
export function topUpConflict(policies: WithTopUp): string | undefined {
  const rule = topUpRuleOf(policies);
  return rule && rule.to <= rule.below
    ? 'policies.top_up.to must be more than policies.top_up.below'
    : undefined;
}
