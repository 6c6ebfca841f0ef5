import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiEnvelope, ApiFailures } from '../common/openapi/api-answers';
import { RateLimited } from '../common/throttling/rate-limited.decorator';
import { SignatureAnswer, toSignatureAnswer } from './dto/signature.answer';
import { SignTypedDataDto } from './dto/sign-typed-data.dto';
import { SigningService } from './signing.service';

@ApiTags('Signing')
@Controller('api/v1/relayers/:relayer_id')
@RateLimited()
export class SigningController {
  constructor(private readonly signing: SigningService) {}

  @Post('sign-typed-data')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Sign EIP-712 typed data',
    description:
      'Signs keccak256(0x19 ‖ 0x01 ‖ domain_separator ‖ hash_struct_message), deterministic (RFC 6979).',
  })
  @ApiEnvelope(SignatureAnswer)
  @ApiFailures({
    403: 'Relayer paused, Relayer disabled',
    404: 'Relayer with ID <relayer_id> not found',
    413: 'Payload Too Large',
  })
  async signTypedData(
    @Param('relayer_id') id: string,
    @Body() body: SignTypedDataDto,
  ): Promise<SignatureAnswer> {
    return toSignatureAnswer(await this.signing.signTypedData(id, body));
  }
}
