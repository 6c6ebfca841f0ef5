import { ApiProperty } from '@nestjs/swagger';
import { type JsonInteger, toJsonInteger } from '../../common/validation/big-integer';
import type { NetworkType } from '../../chains/network-type';
import type { RelayerStatus } from '../chain-access/relayer-status.service';

/** The state of a relayer and of its account on the chain. */
export class RelayerStatusResponse {
  @ApiProperty({ type: String, enum: ['evm'] })
  network_type!: NetworkType;

  /** In wei, as a decimal string. */
  @ApiProperty({ pattern: '^[0-9]+$', example: '1000000000000000000' })
  balance!: string;

  /** Transactions of this service that are not on the chain yet. */
  @ApiProperty({ type: 'integer', minimum: 0, example: 0 })
  pending_transactions_count!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  last_confirmed_transaction_timestamp!: string | null;

  @ApiProperty({ example: false })
  system_disabled!: boolean;

  @ApiProperty({ example: false })
  paused!: boolean;

  /** The nonce of its next transaction, as a decimal string. */
  @ApiProperty({ pattern: '^[0-9]+$', example: '7' })
  nonce!: string;
}

export class RelayerBalanceResponse {
  @ApiProperty({
    oneOf: [
      { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: '^[0-9]+$' },
    ],
    description: 'Exact: a decimal string beyond 2^53-1.',
    example: '1000000000000000000',
  })
  balance!: JsonInteger;

  @ApiProperty({ type: String, enum: ['wei'] })
  unit!: 'wei';
}

export function toRelayerStatusResponse({ relayer, balance, nonce }: RelayerStatus): RelayerStatusResponse {
  return {
    network_type: relayer.networkType,
    balance: balance.toString(),
    pending_transactions_count: 0,
    last_confirmed_transaction_timestamp: null,
    system_disabled: relayer.systemDisabled,
    paused: relayer.paused,
    nonce: nonce.toString(),
  };
}

export function toRelayerBalanceResponse(balance: bigint): RelayerBalanceResponse {
  return { balance: toJsonInteger(balance), unit: 'wei' };
}
