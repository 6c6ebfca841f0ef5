import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { apiKeyNotFound } from './api-key.errors';
import { ApiKeysService } from './api-keys.service';
import {
  ApiKeyResponse,
  ApiKeyWithTextResponse,
  toApiKeyResponse,
  toApiKeyWithTextResponse,
} from './dto/api-key.response';
import { CreateApiKeyDto } from './dto/create-api-key.dto';
import { RotateApiKeyDto } from './dto/rotate-api-key.dto';
import { UpdateApiKeyDto } from './dto/update-api-key.dto';

const NOT_FOUND = { 404: 'Api key with ID <key_id> not found' };

@ApiTags('API keys')
@Controller('api/v1/api-keys')
@RequireScope('api-keys:manage')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @ApiOperation({ summary: 'List API keys, without those that were revoked' })
  @ApiEnvelopePage(ApiKeyResponse)
  @ApiFailures()
  async list(@Query(PageQueryPipe) query: PageQuery): Promise<ListPage<ApiKeyResponse>> {
    return (await this.keys.list(query)).map(toApiKeyResponse);
  }

  @Post()
  @ApiOperation({
    summary: 'Create an API key',
    description:
      'The response has the key, which is never shown again. A key grants no more than its creator has.',
  })
  @ApiEnvelope(ApiKeyWithTextResponse, HttpStatus.CREATED)
  @ApiFailures()
  async create(@Body() body: CreateApiKeyDto): Promise<ApiKeyWithTextResponse> {
    const { key, text } = await this.keys.create(body);
    return toApiKeyWithTextResponse(key, text);
  }

  @Get(':key_id')
  @ApiOperation({ summary: 'Show an API key' })
  @ApiEnvelope(ApiKeyResponse)
  @ApiFailures(NOT_FOUND)
  async get(@IdParam('key_id', apiKeyNotFound) id: string): Promise<ApiKeyResponse> {
    return toApiKeyResponse(await this.keys.getOrThrow(id));
  }

  @Patch(':key_id')
  @ApiOperation({
    summary: 'Change an API key',
    description: 'A JSON merge patch (RFC 7396). It holds from the next request with the key on.',
  })
  @ApiEnvelope(ApiKeyResponse)
  @ApiFailures(NOT_FOUND)
  async update(
    @IdParam('key_id', apiKeyNotFound) id: string,
    @Body() body: UpdateApiKeyDto,
  ): Promise<ApiKeyResponse> {
    return toApiKeyResponse(await this.keys.update(id, body));
  }

  @Delete(':key_id')
  @ApiOperation({
    summary: 'Revoke an API key',
    description: 'It stops working with its next request, on every instance. Keys that it created go on.',
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
    summary: 'Replace the secret of an API key',
    description: 'The response has the new key, which is never shown again. The body is optional.',
  })
  @ApiBody({ type: RotateApiKeyDto, required: false })
  @ApiEnvelope(ApiKeyWithTextResponse)
  @ApiFailures(NOT_FOUND)
  async rotate(
    @IdParam('key_id', apiKeyNotFound) id: string,
    @Body() body: RotateApiKeyDto,
  ): Promise<ApiKeyWithTextResponse> {
    const { key, text } = await this.keys.rotate(id, body.overlap_seconds ?? undefined);
    return toApiKeyWithTextResponse(key, text);
  }
}
