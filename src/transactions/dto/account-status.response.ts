import { ApiProperty } from '@nestjs/swagger';
import { growing, oneOfEnum } from '../../common/openapi/schemas';
import { NETWORK_TYPES, type NetworkType } from '../../chains/network-type';
import type { AccountStatus, NonceReport } from '../account-status.service';

/** The state of a relayer and of its account on the chain. */
export class RelayerStatusResponse {
  @ApiProperty(oneOfEnum('NetworkType', NETWORK_TYPES))
  network_type!: NetworkType;

  /** In wei, as a decimal string. */
  @ApiProperty({ pattern: '^[0-9]+$', example: '1000000000000000000' })
  balance!: string;

  /** Transactions of this service that are not on the chain yet: pending, sent and submitted. */
  @ApiProperty({ type: 'integer', minimum: 0, example: 0 })
  pending_transactions_count!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  last_confirmed_transaction_timestamp!: string | null;

  @ApiProperty({ example: false })
  system_disabled!: boolean;

  @ApiProperty({ example: false })
  paused!: boolean;

  /** The nonce of its next transaction, as the ledger has it; a decimal string. */
  @ApiProperty({ pattern: '^[0-9]+$', example: '7' })
  nonce!: string;

  /** The nonce of the next transaction that the chain can include, as a decimal string. */
  @ApiProperty({ pattern: '^[0-9]+$', example: '7' })
  chain_nonce!: string;

  /** The lowest nonce of a transaction that is not final. */
  @ApiProperty({ type: 'integer', nullable: true, example: null })
  oldest_open_nonce!: number | null;

  /** Nonces that no transaction has, between those of the chain and the ledger; they are filled. */
  @ApiProperty({ type: 'array', items: { type: 'integer', minimum: 0 }, example: [] })
  nonce_gaps!: number[];
}

export function toAccountStatusResponse(status: AccountStatus): RelayerStatusResponse {
  const { relayer, balance, nonce } = status;
  return {
    network_type: relayer.networkType,
    balance: balance.toString(),
    pending_transactions_count: status.pending,
    last_confirmed_transaction_timestamp: status.lastConfirmedAt?.toISOString() ?? null,
    system_disabled: relayer.systemDisabled,
    paused: relayer.paused,
    nonce: status.nextNonce.toString(),
    chain_nonce: nonce.toString(),
    oldest_open_nonce: status.oldestOpenNonce,
    nonce_gaps: status.gaps,
  };
}

/** The nonces of the ledger and of the chain. Differences are being repaired. */
export class NonceReportResponse {
  @ApiProperty({ type: 'integer', example: 7 })
  chain_nonce!: number;

  @ApiProperty({ type: 'integer', example: 7 })
  ledger_nonce!: number;

  /** Nonces that nobody owns. */
  @ApiProperty({ type: 'array', items: { type: 'integer', minimum: 0 }, example: [] })
  gaps!: number[];

  /** What is done: the ledger is raised to the chain, it was lowered as shown here, or nonces that the chain has lost are sent again or filled. */
  @ApiProperty(growing(['none', 'raise', 'lower', 'fill']))
  action!: 'none' | 'raise' | 'lower' | 'fill';
}

export function toNonceReportResponse({
  chainNonce,
  ledgerNonce,
  isLowered,
  gaps,
}: NonceReport): NonceReportResponse {
  const action = chainNonce > ledgerNonce ? 'raise' : isLowered ? 'lower' : gaps.length > 0 ? 'fill' : 'none';
  return { chain_nonce: chainNonce, ledger_nonce: ledgerNonce, gaps, action };
}
