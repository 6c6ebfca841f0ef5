import { Controller, Get, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../access/require-scope.decorator';
import { ApiEnvelope, ApiFailures } from '../common/openapi/api-responses';
import { RateLimited } from '../rate-limits/rate-limited.decorator';
import { AccountStatusService } from './account-status.service';
import {
  NonceReportResponse,
  RelayerStatusResponse,
  toAccountStatusResponse,
  toNonceReportResponse,
} from './dto/account-status.response';

const NOT_FOUND = { 404: 'Relayer with ID <relayer_id> not found' };

@ApiTags('Relayers')
@Controller('api/v1/relayers/:relayer_id')
@RateLimited()
export class AccountStatusController {
  constructor(private readonly accounts: AccountStatusService) {}

  @Get('status')
  @RequireScope('relayers:read')
  @ApiOperation({
    operationId: 'getRelayerStatus',
    summary: 'Show the state of a relayer and its account',
    description: 'Reads the chain. Works for paused and disabled relayers too; EVM networks only.',
  })
  @ApiEnvelope(RelayerStatusResponse)
  @ApiFailures(NOT_FOUND)
  async status(@Param('relayer_id') id: string): Promise<RelayerStatusResponse> {
    return toAccountStatusResponse(await this.accounts.status(id));
  }

  @Post('nonce/sync')
  @RequireScope('transactions:write')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'syncRelayerNonce',
    summary: 'Compare the nonces of ledger and chain',
    description:
      'A difference is repaired once it has lasted, because a single response of a node decides nothing. A ledger that nodes have ' +
      'raised too high is lowered at once, to the nonce of the chain or above the highest nonce that anything was signed with.',
  })
  @ApiEnvelope(NonceReportResponse)
  @ApiFailures(NOT_FOUND)
  async sync(@Param('relayer_id') id: string): Promise<NonceReportResponse> {
    return toNonceReportResponse(await this.accounts.sync(id));
  }
}
