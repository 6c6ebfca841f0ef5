import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiEnvelope, ApiEnvelopePage, ApiFailures } from '../common/openapi/api-answers';
import type { Page } from '../common/pagination/page';
import { PageQuery } from '../common/pagination/page-query';
import { PageQueryPipe } from '../common/pagination/page-query.pipe';
import { RateLimited } from '../common/throttling/rate-limited.decorator';
import { RelayerAnswer, toRelayerAnswer } from './dto/relayer.answer';
import { UpdateRelayerDto } from './dto/update-relayer.dto';
import type { RelayerEntity } from './relayer.entity';
import { RelayersService } from './relayers.service';

@ApiTags('Relayers')
@Controller('api/v1/relayers')
@RateLimited()
export class RelayersController {
  constructor(private readonly relayers: RelayersService) {}

  @Get()
  @ApiOperation({ summary: 'List relayers' })
  @ApiEnvelopePage(RelayerAnswer)
  @ApiFailures()
  async list(@Query(PageQueryPipe) query: PageQuery): Promise<Page<RelayerAnswer>> {
    return (await this.relayers.list(query)).map((relayer) => this.answer(relayer));
  }

  @Patch(':relayer_id')
  @ApiOperation({ summary: 'Change a relayer', description: 'A JSON merge patch (RFC 7396).' })
  @ApiEnvelope(RelayerAnswer)
  @ApiFailures({
    404: 'Relayer with ID <relayer_id> not found',
    413: 'Payload Too Large',
  })
  async update(@Param('relayer_id') id: string, @Body() body: UpdateRelayerDto): Promise<RelayerAnswer> {
    return this.answer(await this.relayers.update(id, body));
  }

  private answer(relayer: RelayerEntity): RelayerAnswer {
    return toRelayerAnswer(relayer, this.relayers.rpcUrlsOf(relayer));
  }
}
