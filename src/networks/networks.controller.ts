import { Body, Controller, Delete, Get, HttpStatus, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../access/require-scope.decorator';
import { ApiEnvelope, ApiEnvelopePage, ApiEnvelopeText, ApiFailures } from '../common/openapi/api-responses';
import type { ListPage } from '../common/pagination/list-page';
import { PageQuery } from '../common/pagination/page-query';
import { PageQueryPipe } from '../common/pagination/page-query.pipe';
import { CreateNetworkDto } from './dto/create-network.dto';
import { NetworkResponse, toNetworkResponse } from './dto/network.response';
import { UpdateNetworkDto } from './dto/update-network.dto';
import type { NetworkEntity } from './network.entity';
import { NetworksService } from './networks.service';

const NOT_FOUND = { 404: "Network with ID '<network_id>' not found" };
const DELETED = 'Network deleted successfully';

@ApiTags('Networks')
@Controller('api/v1/networks')
export class NetworksController {
  constructor(private readonly networks: NetworksService) {}

  @Get()
  @RequireScope('networks:read')
  @ApiOperation({
    operationId: 'listNetworks',
    summary: 'List networks',
    description:
      'A page of more than 16 MiB is 400; by cursor it has fewer items than `per_page`, and `next_cursor` continues.',
  })
  @ApiEnvelopePage(NetworkResponse)
  @ApiFailures()
  async list(@Query(PageQueryPipe) query: PageQuery): Promise<ListPage<NetworkResponse>> {
    return (await this.networks.list(query)).map((network) => this.responseOf(network));
  }

  @Get(':network_id')
  @RequireScope('networks:read')
  @ApiOperation({ operationId: 'getNetwork', summary: 'Show a network' })
  @ApiEnvelope(NetworkResponse)
  @ApiFailures(NOT_FOUND)
  async get(@Param('network_id') id: string): Promise<NetworkResponse> {
    return this.responseOf(await this.networks.getOrThrow(id));
  }

  @Post()
  @RequireScope('networks:write')
  @ApiOperation({
    operationId: 'createNetwork',
    summary: 'Create a network',
    description: 'Without RPC endpoints it is for signing only.',
  })
  @ApiEnvelope(NetworkResponse, HttpStatus.CREATED)
  @ApiFailures({ 409: 'Network with this ID already exists' })
  async create(@Body() body: CreateNetworkDto): Promise<NetworkResponse> {
    return this.responseOf(await this.networks.createNew(body));
  }

  @Patch(':network_id')
  @RequireScope('networks:write')
  @ApiOperation({
    operationId: 'updateNetwork',
    summary: 'Change the RPC endpoints of a network, or the methods that it passes on',
    description:
      'An API key that is limited to some relayers must have created the network, and reach all relayers on it.',
  })
  @ApiEnvelope(NetworkResponse)
  @ApiFailures(NOT_FOUND)
  async update(@Param('network_id') id: string, @Body() body: UpdateNetworkDto): Promise<NetworkResponse> {
    return this.responseOf(await this.networks.update(id, body));
  }

  @Delete(':network_id')
  @RequireScope('networks:write')
  @ApiOperation({ operationId: 'deleteNetwork', summary: 'Delete a network that no relayer uses' })
  @ApiEnvelopeText(DELETED)
  @ApiFailures({ ...NOT_FOUND, 409: 'Network is in use' })
  async delete(@Param('network_id') id: string): Promise<string> {
    await this.networks.delete(id);
    return DELETED;
  }

  private responseOf(network: NetworkEntity): NetworkResponse {
    return toNetworkResponse(network, this.networks.urlsOf(network));
  }
}
