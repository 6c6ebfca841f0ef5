import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Approvable } from '../../approvals/approvable.decorator';
import { PendingChangeResponse } from '../../approvals/dto/pending-change.response';
import { RequireScope } from '../../access/require-scope.decorator';
import {
  ApiEnvelope,
  ApiEnvelopePage,
  ApiEnvelopeText,
  ApiFailures,
} from '../../common/openapi/api-responses';
import type { ListPage } from '../../common/pagination/list-page';
import { PageQuery } from '../../common/pagination/page-query';
import { PageQueryPipe } from '../../common/pagination/page-query.pipe';
import { IdParam } from '../../common/validation/id-param.decorator';
import { ApiKeyCreations, ApiKeyRotations, ApiKeyUpdates, type WithText } from './api-key-requests';
import { apiKeyNotFound } from './api-key.errors';
import { ApiKeysService } from './api-keys.service';
import { ApiKeyResponse, toApiKeyResponse } from './dto/api-key.response';
import { CreateApiKeyDto } from './dto/create-api-key.dto';
import { RotateApiKeyDto } from './dto/rotate-api-key.dto';
import { UpdateApiKeyDto } from './dto/update-api-key.dto';

const NOT_FOUND = { 404: 'Api key with ID <key_id> not found' };

@ApiTags('API keys')
@Controller('api/v1/api-keys')
@RequireScope('api-keys:manage')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly creations: ApiKeyCreations,
    private readonly updates: ApiKeyUpdates,
    private readonly rotations: ApiKeyRotations,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listApiKeys', summary: 'List API keys, without those that were revoked' })
  @ApiEnvelopePage(ApiKeyResponse)
  @ApiFailures()
  async list(@Query(PageQueryPipe) query: PageQuery): Promise<ListPage<ApiKeyResponse>> {
    return (await this.keys.list(query)).map(toApiKeyResponse);
  }

  @Post()
  @ApiOperation({
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'The response has the key, which is never shown again. A key grants no more than its creator has.',
  })
  @ApiEnvelope(ApiKeyResponse, HttpStatus.CREATED)
  @ApiFailures()
  @Approvable()
  async create(@Body() body: CreateApiKeyDto): Promise<ApiKeyResponse | PendingChangeResponse> {
    return withText(await this.creations.request(body));
  }

  @Get(':key_id')
  @ApiOperation({ operationId: 'getApiKey', summary: 'Show an API key' })
  @ApiEnvelope(ApiKeyResponse)
  @ApiFailures(NOT_FOUND)
  async get(@IdParam('key_id', apiKeyNotFound) id: string): Promise<ApiKeyResponse> {
    return toApiKeyResponse(await this.keys.getOrThrow(id));
  }

  @Patch(':key_id')
  @ApiOperation({
    operationId: 'updateApiKey',
    summary: 'Change an API key',
    description: 'A JSON merge patch (RFC 7396). It applies from the next request with the key.',
  })
  @Approvable()
  @ApiEnvelope(ApiKeyResponse)
  @ApiFailures(NOT_FOUND)
  async update(
    @IdParam('key_id', apiKeyNotFound) id: string,
    @Body() body: UpdateApiKeyDto,
  ): Promise<ApiKeyResponse | PendingChangeResponse> {
    const result = await this.updates.request(id, body);
    return result instanceof PendingChangeResponse ? result : toApiKeyResponse(result);
  }

  @Delete(':key_id')
  @ApiOperation({
    operationId: 'deleteApiKey',
    summary: 'Revoke an API key',
    description:
      'It is refused from its next request on, on every instance. Keys that it created remain valid.',
  })
  @ApiEnvelopeText('Api key deleted successfully')
  @ApiFailures(NOT_FOUND)
  async delete(@IdParam('key_id', apiKeyNotFound) id: string): Promise<string> {
    await this.keys.revoke(id);
    return 'Api key deleted successfully';
  }

  @Post(':key_id/rotate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateApiKey',
    summary: 'Replace the secret of an API key',
    description: 'The response has the new key, which is never shown again. The body is optional.',
  })
  @ApiBody({ type: RotateApiKeyDto, required: false })
  @ApiEnvelope(ApiKeyResponse)
  @Approvable()
  @ApiFailures(NOT_FOUND)
  async rotate(
    @IdParam('key_id', apiKeyNotFound) id: string,
    @Body() body: RotateApiKeyDto,
  ): Promise<ApiKeyResponse | PendingChangeResponse> {
    return withText(await this.rotations.request(id, body.overlap_seconds ?? undefined));
  }
}

/** Both are created for this response. */
const withText = ({ result, text }: WithText): ApiKeyResponse | PendingChangeResponse =>
  Object.assign(
    result instanceof PendingChangeResponse ? result : toApiKeyResponse(result),
    text && { key: text.reveal() },
  );
