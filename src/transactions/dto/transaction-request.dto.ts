import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DATE_TIME_SCHEMA, orNull } from '../../common/openapi/schemas';
import { METADATA_SCHEMA, SPEED_SCHEMA } from './transaction-schemas';
import { ACCESS_LIST, AUTHORIZATION_LIST, CALLDATA } from '../../chains/evm/transaction/unsigned-transaction';

const AMOUNT = orNull(
  { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  { type: 'string', pattern: '^(0|[1-9][0-9]{0,77})$' },
);

/**
 * A transaction to send. Its fees come from one of `speed`, `gas_price`, or `max_fee_per_gas` with
 * `max_priority_fee_per_gas`. Amounts are in wei; null means the same as absent. This class only documents the body: the
 * code of the chain validates it.
 */
export class TransactionRequestDto {
  /** The receiver; null or absent creates a contract from `data`. */
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: '^(0x[0-9a-fA-F]{40})?$',
    example: '0x3535353535353535353535353535353535353535',
  })
  to?: string | null;

  /** In wei, at most 2^128-1. */
  @ApiProperty({
    oneOf: [
      { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: '^(0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$' },
    ],
    example: '1000000000000000',
  })
  value!: string | number;

  /** The prefix `0x` may be left out. */
  @ApiPropertyOptional({
    ...CALLDATA.schema,
    pattern: '^(0x)?([0-9a-fA-F]{2})*$',
    nullable: true,
    example: '0x',
  } as object)
  data?: string | null;

  /** Used unchanged. Without it the transaction is simulated, and gets a fifth more gas than the simulation used. */
  @ApiPropertyOptional({ ...AMOUNT, example: 21_000 })
  gas_limit?: string | number | null;

  /** Fees come from the market, and are raised while the transaction waits. */
  @ApiPropertyOptional({ ...orNull(SPEED_SCHEMA), example: 'fast' })
  speed?: string | null;

  /** Used exactly, in a transaction of type 0 or 1. */
  @ApiPropertyOptional(AMOUNT)
  gas_price?: string | number | null;

  /** Used exactly. */
  @ApiPropertyOptional(AMOUNT)
  max_fee_per_gas?: string | number | null;

  @ApiPropertyOptional(AMOUNT)
  max_priority_fee_per_gas?: string | number | null;

  /** After this time a no-op takes its nonce, unless it is mined. */
  @ApiPropertyOptional({ ...DATE_TIME_SCHEMA, nullable: true, example: '2036-01-31T12:00:00Z' })
  valid_until?: string | null;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 4,
    not: { enum: [3] },
    nullable: true,
    example: 2,
  })
  type?: number | null;

  /** EIP-2930. */
  @ApiPropertyOptional({ ...ACCESS_LIST.schema, nullable: true } as object)
  access_list?: object[] | null;

  /** EIP-7702. */
  @ApiPropertyOptional({ ...AUTHORIZATION_LIST.schema, nullable: true } as object)
  authorization_list?: object[] | null;

  /** The highest price per unit of gas of any attempt, except a no-op that takes its nonce; not below the fees of the request. */
  @ApiPropertyOptional(AMOUNT)
  max_attempts_price?: string | number | null;

  /** True: simulated even if `gas_limit` is given. False: never simulated, so `gas_limit` is required. */
  @ApiPropertyOptional({ type: Boolean, nullable: true })
  simulate?: boolean | null;

  /** Texts of the client, at most 1 KiB of JSON; lists can be filtered by them. */
  @ApiPropertyOptional({
    ...orNull(METADATA_SCHEMA),
    example: { order: '42' },
  })
  metadata?: Record<string, string> | null;
}

/** Several transactions of one relayer. */
export class TransactionBatchDto {
  @ApiProperty({ type: [TransactionRequestDto], minItems: 1, maxItems: 100 })
  transactions!: TransactionRequestDto[];

  /** All are accepted or none. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  atomic?: boolean;
}
