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
import { RelayerResponse, toRelayerResponse } from './dto/relayer.response';
import { UpdateRelayerDto } from './dto/update-relayer.dto';
import type { RelayerEntity } from './relayer.entity';
import { RelayerCreations, RelayerUpdates } from './relayer-requests';
import { RelayersService } from './relayers.service';

@ApiTags('Relayers')
@Controller('api/v1/relayers')
@RateLimited()
export class RelayersController {
  constructor(
    private readonly relayers: RelayersService,
    private readonly creations: RelayerCreations,
    private readonly updates: RelayerUpdates,
  ) {}

  @Get()
  @RequireScope('relayers:read')
  @ApiOperation({ summary: 'List relayers' })
  @ApiEnvelopePage(RelayerResponse)
  @ApiFailures()
  async list(@Query(PageQueryPipe) query: PageQuery): Promise<ListPage<RelayerResponse>> {
    return (await this.relayers.list(query)).map((relayer) => this.response(relayer));
  }

  @Get(':relayer_id')
  @RequireScope('relayers:read')
  @ApiOperation({ summary: 'Show a relayer' })
  @ApiEnvelope(RelayerResponse)
  @ApiFailures({ 404: 'Relayer with ID <relayer_id> not found' })
  async get(@Param('relayer_id') id: string): Promise<RelayerResponse> {
    return this.response(await this.relayers.getOrThrow(id));
  }

  @Post()
  @RequireScope('relayers:write')
  @ApiOperation({ summary: 'Create a relayer' })
  @ApiEnvelope(RelayerResponse, HttpStatus.CREATED)
  @ApiFailures({
    404: 'Signer with ID <signer_id> not found, Notification not found',
    409: 'Relayer with this ID already exists, Signer is in use, Account is in use',
    413: 'Payload Too Large',
  })
  @Approvable()
  async create(@Body() body: CreateRelayerDto): Promise<RelayerResponse | PendingChangeResponse> {
    return this.response(await this.creations.request(body));
  }

  @Delete(':relayer_id')
  @RequireScope('relayers:write')
  @ApiOperation({ summary: 'Delete a relayer that nothing depends on' })
  @ApiEnvelopeText('Relayer deleted successfully')
  @ApiFailures({ 404: 'Relayer with ID <relayer_id> not found', 409: 'Relayer is in use' })
  async delete(@Param('relayer_id') id: string): Promise<string> {
    await this.relayers.delete(id);
    return 'Relayer deleted successfully';
  }

  @Patch(':relayer_id')
  @RequireScope('relayers:write', 'relayers:pause')
  @ApiOperation({ summary: 'Change a relayer', description: 'A JSON merge patch (RFC 7396).' })
  @ApiEnvelope(RelayerResponse)
  @ApiFailures({
    404: 'Relayer with ID <relayer_id> not found',
    413: 'Payload Too Large',
  })
  @Approvable()
  async update(
    @Param('relayer_id') id: string,
    @Body() body: UpdateRelayerDto,
  ): Promise<RelayerResponse | PendingChangeResponse> {
    return this.response(await this.updates.request(id, body));
  }

  private response(relayer: RelayerEntity): RelayerResponse;
  private response(relayer: RelayerEntity | PendingChangeResponse): RelayerResponse | PendingChangeResponse;
  private response(relayer: RelayerEntity | PendingChangeResponse): RelayerResponse | PendingChangeResponse {
    if (relayer instanceof PendingChangeResponse) return relayer;
    return toRelayerResponse(relayer, this.relayers.rpcUrlsOf(relayer));
  }
}
