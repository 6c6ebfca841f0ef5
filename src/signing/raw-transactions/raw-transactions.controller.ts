import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../access/require-scope.decorator';
import { ApiEnvelope, ApiFailures } from '../../common/openapi/api-responses';
import { RateLimited } from '../../rate-limits/rate-limited.decorator';
import { parseSignTransaction, SignTransactionDto } from './sign-transaction.dto';
import { SignedTransactionResponse } from './signed-transaction.response';
import { SigningApi } from '../signing.api';

@ApiTags('Signing')
@Controller('api/v1/relayers/:relayer_id')
@RateLimited()
export class RawTransactionsController {
  constructor(private readonly signing: SigningApi) {}

  @Post('sign-transaction')
  @RequireScope('sign:transactions')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'signTransaction',
    summary: 'Sign an EVM transaction of type 0, 1, 2 or 4 without sending it',
    description:
      'Its chain id must be that of the relayer’s network, and the relayer’s policies must allow it.',
  })
  @ApiBody({ type: SignTransactionDto })
  @ApiEnvelope(SignedTransactionResponse)
  @ApiFailures({
    403: 'Signing frozen, Relayer paused, Transaction not allowed by policy',
    404: 'Relayer with ID <relayer_id> not found',
  })
  async sign(@Param('relayer_id') id: string, @Body() body: object): Promise<SignedTransactionResponse> {
    return this.signing.signTransaction(id, parseSignTransaction(body));
  }
}
