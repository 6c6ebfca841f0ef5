import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../access/require-scope.decorator';
import { ApiEnvelope, ApiFailures } from '../../common/openapi/api-responses';
import { RateLimited } from '../../rate-limits/rate-limited.decorator';
import { SignatureResponse } from '../signature.response';
import { SigningApi } from '../signing.api';
import { SignMessageDto } from './sign-message.dto';

@ApiTags('Signing')
@Controller('api/v1/relayers/:relayer_id')
@RateLimited()
export class MessagesController {
  constructor(private readonly signing: SigningApi) {}

  @Post('sign')
  @RequireScope('sign:messages')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'sign',
    summary: 'Sign a message (EIP-191)',
    description:
      'Signs keccak256("\\x19Ethereum Signed Message:\\n" ‖ length ‖ message), as personal_sign does; deterministic (RFC 6979) unless a key service signs.',
  })
  @ApiEnvelope(SignatureResponse)
  @ApiFailures({
    403: 'Signing frozen, Relayer paused, Message not allowed by policy',
    404: 'Relayer with ID <relayer_id> not found',
  })
  sign(@Param('relayer_id') id: string, @Body() body: SignMessageDto): Promise<SignatureResponse> {
    return this.signing.signMessage(id, body);
  }
}
