import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../access/require-scope.decorator';
import { ApiEnvelope, ApiFailures } from '../../common/openapi/api-responses';
import { RateLimited } from '../../rate-limits/rate-limited.decorator';
import { RelayerBalanceResponse, toRelayerBalanceResponse } from '../dto/relayer-balance.response';
import { RelayerStatusService } from './relayer-status.service';

const NOT_FOUND = { 404: 'Relayer with ID <relayer_id> not found' };

@ApiTags('Relayers')
@Controller('api/v1/relayers/:relayer_id')
@RateLimited()
export class RelayerChainController {
  constructor(private readonly statuses: RelayerStatusService) {}

  @Get('balance')
  @RequireScope('relayers:read')
  @ApiOperation({
    operationId: 'getRelayerBalance',
    summary: "Show a relayer's balance",
    description: 'Reads the chain. Works for paused and disabled relayers too; EVM networks only.',
  })
  @ApiEnvelope(RelayerBalanceResponse)
  @ApiFailures(NOT_FOUND)
  async balance(@Param('relayer_id') id: string): Promise<RelayerBalanceResponse> {
    return toRelayerBalanceResponse(await this.statuses.balance(id));
  }
}
