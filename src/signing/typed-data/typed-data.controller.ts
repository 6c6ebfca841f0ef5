import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../access/require-scope.decorator';
import { ApiEnvelope, ApiEnvelopeList, ApiFailures } from '../../common/openapi/api-responses';
import { RateLimit } from '../../rate-limits/rate-limit';
import { RateLimited } from '../../rate-limits/rate-limited.decorator';
import { SignatureResponse } from '../signature.response';
import { MAX_BATCH_ITEMS } from '../batch';
import { TYPED_DATA_FORMS, typedDataSchema } from './sign-typed-data.dto';
import { BatchItemResponse } from './typed-data-signature.response';
import { SigningApi, type TypedDataToSign } from '../signing.api';
import { parseBatch } from './sign-request';

const FAILURES = {
  403: 'Signing frozen, Relayer paused, Typed data not allowed by policy',
  404: 'Relayer with ID <relayer_id> not found',
};

/** Bodies are of one of two forms, so they are parsed by hand and not by a DTO. */
@ApiTags('Signing')
@Controller('api/v1/relayers/:relayer_id')
@RateLimited()
export class TypedDataController {
  constructor(
    private readonly signing: SigningApi,
    private readonly rateLimit: RateLimit,
  ) {}

  @Post('sign-typed-data')
  @RequireScope('sign:typed-data')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'signTypedData',
    summary: 'Sign EIP-712 typed data',
    description:
      'Signs keccak256(0x19 ‖ 0x01 ‖ domain_separator ‖ hash_struct_message); deterministic (RFC 6979) unless a key service signs. The two hashes are given, or computed from the full typed data; in that case the response has the digest too. Native transactions of ZKsync and Cosmos chains (domains such as `zkSync` and `Cosmos Web3`) are refused.',
  })
  @ApiExtraModels(...TYPED_DATA_FORMS)
  @ApiBody({ schema: typedDataSchema() })
  @ApiEnvelope(SignatureResponse)
  @ApiFailures(FAILURES)
  signTypedData(@Param('relayer_id') id: string, @Body() body: object): Promise<SignatureResponse> {
    return this.signing.signTypedData(id, body as TypedDataToSign);
  }

  @Post('sign-typed-data/batch')
  @RequireScope('sign:typed-data')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'signTypedDataBatch',
    summary: 'Sign a batch of EIP-712 typed data',
    description:
      'Results are in the order of the items. An item that fails leaves the others alone. Each item counts as one request against the rate limit. The relayer is read again for each item: a pause, a change of policies, a deletion and a freeze apply to the items that are not signed yet. The body has at most 1 MiB, 100 000 values, 50 000 fields, 10 000 different sequences of field names, and 1500 different names after the same fields; a larger batch is refused as a whole: split it.',
  })
  @ApiBody({
    schema: {
      title: 'SignTypedDataBatchDto',
      type: 'object',
      required: ['items'],
      additionalProperties: false,
      properties: {
        items: { type: 'array', minItems: 1, maxItems: MAX_BATCH_ITEMS, items: typedDataSchema() },
      },
    },
  })
  @ApiEnvelopeList(BatchItemResponse)
  @ApiFailures({ ...FAILURES, 403: 'Signing frozen, Relayer paused' })
  async signTypedDataBatch(
    @Param('relayer_id') id: string,
    @Body() body: object,
  ): Promise<BatchItemResponse[]> {
    const items = parseBatch(body);
    await this.rateLimit.charge(items.length);
    return this.signing.signTypedDataBatch(id, items);
  }
}
