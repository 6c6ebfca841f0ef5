import { Body, Controller, Delete, Get, HttpStatus, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Approvable } from '../approvals/approvable.decorator';
import { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import { RequireScope } from '../access/require-scope.decorator';
import { ApiEnvelope, ApiEnvelopePage, ApiEnvelopeText, ApiFailures } from '../common/openapi/api-responses';
import type { ListPage } from '../common/pagination/list-page';
import { PageQuery } from '../common/pagination/page-query';
import { PageQueryPipe } from '../common/pagination/page-query.pipe';
import { RateLimited } from '../rate-limits/rate-limited.decorator';
import { CreateRelayerDto } from './dto/create-relayer.dto';
import { RelayerResponse } from './dto/relayer.response';
import { UpdateRelayerDto } from './dto/update-relayer.dto';
import { RelayersApi } from './relayers.api';

@ApiTags('Relayers')
@Controller('api/v1/relayers')
@RateLimited()
export class RelayersController {
  constructor(private readonly relayers: RelayersApi) {}

  @Get()
  @RequireScope('relayers:read')
  @ApiOperation({
    operationId: 'listRelayers',
    summary: 'List relayers',
    description:
      'A page of more than 16 MiB is 400; by cursor it has fewer items than `per_page`, and `next_cursor` continues.',
  })
  @ApiEnvelopePage(RelayerResponse)
  @ApiFailures()
  list(@Query(PageQueryPipe) query: PageQuery): Promise<ListPage<RelayerResponse>> {
    return this.relayers.list(query);
  }

  @Get(':relayer_id')
  @RequireScope('relayers:read')
  @ApiOperation({ operationId: 'getRelayer', summary: 'Show a relayer' })
  @ApiEnvelope(RelayerResponse)
  @ApiFailures({ 404: 'Relayer with ID <relayer_id> not found' })
  get(@Param('relayer_id') id: string): Promise<RelayerResponse> {
    return this.relayers.get(id);
  }

  @Post()
  @RequireScope('relayers:write')
  @ApiOperation({ operationId: 'createRelayer', summary: 'Create a relayer' })
  @ApiEnvelope(RelayerResponse, HttpStatus.CREATED)
  @ApiFailures({
    404: 'Signer with ID <signer_id> not found, Notification not found',
    409: 'Relayer with this ID already exists, Signer is in use, Account is in use',
  })
  @Approvable()
  create(@Body() body: CreateRelayerDto): Promise<RelayerResponse | PendingChangeResponse> {
    return this.relayers.create(body);
  }

  @Delete(':relayer_id')
  @RequireScope('relayers:write')
  @ApiOperation({ operationId: 'deleteRelayer', summary: 'Delete a relayer that nothing depends on' })
  @ApiEnvelopeText('Relayer deleted successfully')
  @ApiFailures({ 404: 'Relayer with ID <relayer_id> not found', 409: 'Relayer is in use' })
  async delete(@Param('relayer_id') id: string): Promise<string> {
    await this.relayers.delete(id);
    return 'Relayer deleted successfully';
  }

  @Patch(':relayer_id')
  @RequireScope('relayers:write', 'relayers:pause')
  @ApiOperation({
    operationId: 'updateRelayer',
    summary: 'Change a relayer',
    description: 'A JSON merge patch (RFC 7396).',
  })
  @ApiEnvelope(RelayerResponse)
  @ApiFailures({
    404: 'Relayer with ID <relayer_id> not found',
  })
  @Approvable()
  update(
    @Param('relayer_id') id: string,
    @Body() body: UpdateRelayerDto,
  ): Promise<RelayerResponse | PendingChangeResponse> {
    return this.relayers.update(id, body);
  }
}
