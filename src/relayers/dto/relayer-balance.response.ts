import { ApiProperty } from '@nestjs/swagger';
import { type JsonInteger, toJsonInteger } from '../../common/validation/big-integer';

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

  @ApiProperty({ type: String, pattern: '^wei$', example: 'wei' })
  unit!: 'wei';
}

export function toRelayerBalanceResponse(balance: bigint): RelayerBalanceResponse {
  return { balance: toJsonInteger(balance), unit: 'wei' };
}
