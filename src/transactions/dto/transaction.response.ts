import { ApiProperty } from '@nestjs/swagger';
import { oneOfEnum, orNull } from '../../common/openapi/schemas';
import { TRANSACTION_STATUSES, type TransactionStatus } from '../transaction-status';
import { METADATA_SCHEMA, SPEED_SCHEMA } from './transaction-schemas';
import type { TransactionEntity } from '../transaction.entity';

const ADDRESS = '0x3535353535353535353535353535353535353535';
const HASH = '0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788';

/** The signature of an attempt. */
export interface TransactionSignatureResponse {
  r: string;
  s: string;
  /** `r`, `s` and `v` one after the other. */
  sig: string;
  /** 27 or 28 for transactions of type 0 and 1, otherwise the parity: 0 or 1. */
  v: number;
}

const SIGNATURE = {
  title: 'TransactionSignature',
  type: 'object',
  required: ['r', 's', 'sig', 'v'],
  properties: {
    r: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    s: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    sig: { type: 'string', pattern: '^[0-9a-f]{130}$' },
    v: {
      type: 'integer',
      minimum: 0,
      maximum: 28,
      description: '27 or 28 for transactions of type 0 and 1, otherwise the parity: 0 or 1.',
    },
  },
};

/**
 * A transaction. Hash, receiver, value, data, fees and gas limit are those of the newest attempt or, once one is mined,
 * of the mined attempt. Members that are not known yet are null.
 */
export class TransactionResponse {
  @ApiProperty({ format: 'uuid', example: '3b9a4f5e-2f0f-4f43-9a3e-3d7a5b0d8c11' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, pattern: '^0x[0-9a-f]{64}$', example: HASH })
  hash!: string | null;

  /** The hashes of all attempts, oldest first. */
  @ApiProperty({ type: [String], example: [HASH] })
  hashes!: string[];

  @ApiProperty(oneOfEnum('TransactionStatus', TRANSACTION_STATUSES))
  status!: TransactionStatus;

  /** What the transaction waits for, or why it ended as it did; null after success. */
  @ApiProperty({ type: String, nullable: true, example: null })
  status_reason!: string | null;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  created_at!: string;

  /** When a node first acknowledged an attempt. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  sent_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  confirmed_at!: string | null;

  /** In wei, as a decimal string; null for a transaction with EIP-1559 fees. */
  @ApiProperty({ type: String, nullable: true, pattern: '^[0-9]+$' })
  gas_price!: string | null;

  @ApiProperty({ type: String, nullable: true, pattern: '^[0-9]+$', example: '20000000000' })
  max_fee_per_gas!: string | null;

  @ApiProperty({ type: String, nullable: true, pattern: '^[0-9]+$', example: '1000000000' })
  max_priority_fee_per_gas!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 21_000 })
  gas_limit!: number | null;

  /** Null if the chain has lost the transaction, and a filler has its nonce. */
  @ApiProperty({ type: 'integer', nullable: true, example: 7 })
  nonce!: number | null;

  /** In wei, as the shortest hex form. */
  @ApiProperty({ pattern: '^0x(0|[1-9a-f][0-9a-f]*)$', example: '0xde0b6b3a7640000' })
  value!: string;

  @ApiProperty({ pattern: '^0x[0-9a-fA-F]{40}$', example: ADDRESS })
  from!: string;

  @ApiProperty({ type: String, nullable: true, example: ADDRESS })
  to!: string | null;

  @ApiProperty({ type: String, nullable: true, example: '0x' })
  data!: string | null;

  @ApiProperty({ example: 'demo' })
  relayer_id!: string;

  /** Of the attempt; null while nothing is signed. */
  @ApiProperty(orNull(SIGNATURE))
  signature!: TransactionSignatureResponse | null;

  @ApiProperty(orNull(SPEED_SCHEMA))
  speed!: string | null;

  /** DELETE was requested. What is mined decides whether it was canceled. */
  @ApiProperty({ example: false })
  is_canceled!: boolean;

  /** Why the execution failed: the text of the error, the meaning of a panic, or the selector of a custom error. */
  @ApiProperty({ type: String, nullable: true, example: null })
  revert_reason!: string | null;

  /** All that the failed execution returned: `0x` and hex digits. Null if it is more than 32 KiB. */
  @ApiProperty({ type: String, nullable: true, example: null })
  revert_data!: string | null;

  @ApiProperty({ ...orNull(METADATA_SCHEMA), example: null })
  metadata!: Record<string, string> | null;
}

export function toTransactionResponse(row: Omit<TransactionEntity, 'mac'>): TransactionResponse {
  const { request, attempt } = row;
  const isNoop = attempt?.kind === 'noop';
  return {
    id: row.id,
    hash: attempt?.hash ?? null,
    hashes: row.hashes,
    status: row.status,
    status_reason: row.statusReason,
    created_at: row.createdAt.toISOString(),
    sent_at: row.sentAt?.toISOString() ?? null,
    confirmed_at: row.confirmedAt?.toISOString() ?? null,
    gas_price: attempt ? attempt.gas_price : textOf(request.gas_price),
    max_fee_per_gas: attempt ? attempt.max_fee_per_gas : textOf(request.max_fee_per_gas),
    max_priority_fee_per_gas: attempt
      ? attempt.max_priority_fee_per_gas
      : textOf(request.max_priority_fee_per_gas),
    gas_limit: numberOf(attempt?.gas_limit ?? textOf(request.gas_limit)),
    // Negative if the chain has lost the transaction, and another one has its nonce now.
    nonce: row.nonce < 0 ? null : row.nonce,
    value: hexOf(attempt?.value ?? textOf(request.value)),
    from: row.sender,
    to: attempt ? attempt.to : textOf(request.to),
    data: isNoop ? '0x' : (attempt?.data ?? textOf(request.data)),
    relayer_id: row.relayerId,
    signature: attempt && signatureOf(attempt),
    speed: textOf(request.speed),
    is_canceled: row.isCanceled,
    revert_reason: row.revertReason,
    revert_data: row.revertData,
    metadata: row.metadata,
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const numberOf = (amount: string | null): number | null => (amount === null ? null : Number(amount));

const hexOf = (amount: string | null): string => `0x${BigInt(amount ?? 0).toString(16)}`;

function signatureOf({
  signature: { r, s, v },
  gas_price,
}: NonNullable<TransactionEntity['attempt']>): TransactionSignatureResponse {
  const shown = gas_price === null ? v - 27 : v;
  return { r, s, v: shown, sig: `${r}${s}${shown.toString(16).padStart(2, '0')}` };
}
