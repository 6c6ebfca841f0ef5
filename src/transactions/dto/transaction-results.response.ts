import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { growing } from '../../common/openapi/schemas';
import { failureDetail } from '../../common/errors/failure-log';
import { toDomainError } from '../../common/errors/to-domain-error';
import type { AcceptanceResult } from '../accepting/submission';
import type { CanceledTransactions } from '../transaction-changes.service';
import type { ShownAttempt } from '../transaction-rows';
import { TransactionResponse, toTransactionResponse } from './transaction.response';

/** One item of a batch: the transaction, or why it was not accepted. */
export class TransactionBatchItemResponse {
  @ApiPropertyOptional({ type: TransactionResponse })
  transaction?: TransactionResponse;

  @ApiPropertyOptional({ example: 'Transaction would revert: not the owner' })
  error?: string;
}

export function toBatchItemResponse(result: AcceptanceResult): TransactionBatchItemResponse {
  return 'error' in result
    ? { error: failureDetail(toDomainError(result.error)) }
    : { transaction: toTransactionResponse(result.transaction) };
}

/** Transactions whose nonces no-ops will take. */
export class CanceledTransactionsResponse {
  @ApiProperty({ type: [String] })
  queued_for_cancellation_transaction_ids!: string[];

  /** Mined meanwhile. */
  @ApiProperty({ type: [String] })
  failed_to_queue_transaction_ids!: string[];

  @ApiProperty({ type: 'integer', minimum: 0, example: 0 })
  total_processed!: number;
}

export function toCanceledTransactionsResponse({
  canceled,
  failed,
}: CanceledTransactions): CanceledTransactionsResponse {
  return {
    queued_for_cancellation_transaction_ids: canceled,
    failed_to_queue_transaction_ids: failed,
    total_processed: canceled.length + failed.length,
  };
}

/** One signed form of a transaction. */
export class TransactionAttemptResponse {
  @ApiProperty({ pattern: '^0x[0-9a-f]{64}$' })
  hash!: string;

  @ApiProperty(growing(['request', 'noop']))
  kind!: string;

  @ApiProperty({ type: 'integer', example: 7 })
  nonce!: number;

  @ApiProperty({ type: String, nullable: true })
  gas_price!: string | null;

  @ApiProperty({ type: String, nullable: true })
  max_fee_per_gas!: string | null;

  @ApiProperty({ type: String, nullable: true })
  max_priority_fee_per_gas!: string | null;

  @ApiProperty({ type: 'integer', example: 21_000 })
  gas_limit!: number;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** When a node first returned it, or said that it has it. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  acknowledged_at!: string | null;
}

export function toAttemptResponse(attempt: ShownAttempt): TransactionAttemptResponse {
  const { content, acknowledgedAt } = attempt;
  return {
    hash: attempt.hash,
    kind: attempt.kind,
    nonce: attempt.nonce,
    gas_price: content.gas_price,
    max_fee_per_gas: content.max_fee_per_gas,
    max_priority_fee_per_gas: content.max_priority_fee_per_gas,
    gas_limit: Number(content.gas_limit),
    created_at: attempt.createdAt.toISOString(),
    acknowledged_at: acknowledgedAt?.toISOString() ?? null,
  };
}
