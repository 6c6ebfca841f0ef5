import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, Matches } from 'class-validator';
import { type JsonInteger, UINT256_MAX, UINT64_MAX } from '../../common/validation/big-integer';
import { AddressMember, AmountMember, BooleanMember, ObjectListMember } from './policy-fields';
import { IsOneOf } from '../../common/validation/fields';

/** Selectors of an entry of `transactions.allowed_methods`. @limit Stored objects */
const MAX_SELECTORS = 100;

/** Calls that transactions may make. */
export class AllowedMethods {
  /** The contract; any if omitted. Stored checksummed (EIP-55). */
  @AddressMember()
  to?: string;

  /** The first four bytes of the calldata; `0x` means a transfer without calldata. */
  @ApiProperty({
    type: 'array',
    items: { type: 'string', pattern: '^0x([0-9a-fA-F]{8})?$' },
    minItems: 1,
    maxItems: MAX_SELECTORS,
    example: ['0xa9059cbb'],
  })
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? value.map((item: unknown) => (typeof item === 'string' ? item.toLowerCase() : item))
      : value,
  )
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SELECTORS)
  @Matches(/^0x(?:[0-9a-f]{8})?$/, {
    each: true,
    message: 'each value in $property must be 0x and 8 hex digits, or 0x for a transfer without calldata',
  })
  selectors!: string[];
}

/** The periods of spending limits, in ascending order. */
export const SPEND_PERIODS = ['1h', '24h', '7d'] as const;

/** What all transactions of a period may spend together; at least one of the amounts, in wei. */
export class SpendLimit {
  /** How far back spending counts. */
  @ApiProperty({ type: String, pattern: `^(${SPEND_PERIODS.join('|')})$`, example: '24h' })
  @IsOneOf(SPEND_PERIODS)
  per!: (typeof SPEND_PERIODS)[number];

  /** What they may transfer. */
  @AmountMember(UINT256_MAX, '1000000000000000000')
  max_value?: JsonInteger;

  /** What they may pay for gas; at acceptance the highest fee of each counts, and what it paid once it is final. */
  @AmountMember(UINT256_MAX, '10000000000000000')
  max_fee?: JsonInteger;
}

/**
 * Which transactions a relayer signs and sends, in addition to `whitelist_receivers` and `gas_price_cap`. An empty policy
 * allows all of them.
 */
export class TransactionPolicy {
  /** Wei that one transaction may transfer. */
  @AmountMember(UINT256_MAX, '1000000000000000000')
  max_value?: JsonInteger;

  /** Wei that one transaction may cost: its gas limit times its highest price per gas. The data fee of a rollup is not included. */
  @AmountMember(UINT256_MAX, '10000000000000000')
  max_fee?: JsonInteger;

  @AmountMember(UINT64_MAX, 100_000)
  max_gas_limit?: JsonInteger;

  /** Whether contracts may be created. True by default, but false beside `allowed_methods`; never beside `whitelist_receivers`. */
  @BooleanMember(false)
  allow_contract_creation?: boolean;

  /** If set, a call must match one of the entries, and transactions of type 4 are rejected. A patch replaces the whole list. */
  @ObjectListMember(() => AllowedMethods)
  allowed_methods?: AllowedMethods[];

  /** For transactions that this service sends; transactions that it only signs are refused. A patch replaces the whole list. */
  @ObjectListMember(() => SpendLimit)
  spend_limits?: SpendLimit[];

  /**
   * Wei above which a transaction waits for the approval of another API key before it is sent. Above it, transactions are not
   * signed without sending them, nor accepted in batches and as replacements.
   */
  @AmountMember(UINT256_MAX, '5000000000000000000')
  approval_above?: JsonInteger;
}

/** Rejects a spending limit without an amount, which would limit nothing. */
export function spendLimitConflict(policy: TransactionPolicy | undefined): string | undefined {
  const isEmpty = ({ max_value, max_fee }: SpendLimit): boolean =>
    (max_value ?? max_fee ?? undefined) === undefined;
  const position = policy?.spend_limits?.findIndex(isEmpty) ?? -1;
  return position === -1
    ? undefined
    : `policies.transactions.spend_limits[${position}] must have max_value, max_fee or both`;
}
