import { Body, Controller, Delete, Get, HttpStatus, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiEnvelope, ApiEnvelopePage, ApiEnvelopeText, ApiFailures } from '../common/openapi/api-responses';
import type { ListPage } from '../common/pagination/list-page';
import { PageQuery } from '../common/pagination/page-query';
import { PageQueryPipe } from '../common/pagination/page-query.pipe';
import { CreateSignerDto, UpdateSignerDto } from './dto/create-signer.dto';
import { SignerResponse, toSignerResponse } from './dto/signer.response';
import { HTTP_SOURCES } from './http-sources';
import type { SignerEntity } from './signer.entity';
import { signerUpdatesRefused } from './signer.errors';
import { SignersService } from './signers.service';

const NOT_FOUND = { 404: 'Signer with ID <signer_id> not found' };

@ApiTags('Signers')
@Controller('api/v1/signers')
export class SignersController {
  constructor(private readonly signers: SignersService) {}

  @Get()
  @ApiOperation({ summary: 'List signers' })
  @ApiEnvelopePage(SignerResponse)
  @ApiFailures()
  async list(@Query(PageQueryPipe) query: PageQuery): Promise<ListPage<SignerResponse>> {
    const signers = await this.signers.list(query);
    return signers.withItems(await Promise.all(signers.items.map((signer) => this.answer(signer))));
  }

  @Get(':signer_id')
  @ApiOperation({ summary: 'Show a signer, with its address and public key' })
  @ApiEnvelope(SignerResponse)
  @ApiFailures(NOT_FOUND)
  async get(@Param('signer_id') id: string): Promise<SignerResponse> {
    return this.answer(await this.signers.require(id));
  }

  @Post()
  @ApiOperation({
    summary: 'Make a signer',
    description: 'It is stored only after it has signed a challenge that recovers to its address.',
  })
  @ApiEnvelope(SignerResponse, HttpStatus.CREATED)
  @ApiFailures({ 409: 'Signer with this ID already exists', 413: 'Payload Too Large' })
  async create(@Body() body: CreateSignerDto): Promise<SignerResponse> {
    return this.answer(
      await this.signers.createNew(body.id ?? undefined, body.type, body.config, HTTP_SOURCES),
    );
  }

  @Patch(':signer_id')
  @ApiOperation({ summary: 'Refused: a signer is never changed' })
  @ApiFailures({ ...NOT_FOUND, 413: 'Payload Too Large' })
  async update(@Param('signer_id') id: string, @Body() _body: UpdateSignerDto): Promise<never> {
    await this.signers.require(id);
    throw signerUpdatesRefused();
  }

  @Delete(':signer_id')
  @ApiOperation({ summary: 'Delete a signer that no relayer uses' })
  @ApiEnvelopeText('Signer deleted successfully')
  @ApiFailures({ ...NOT_FOUND, 409: 'Signer is in use' })
  async delete(@Param('signer_id') id: string): Promise<string> {
    await this.signers.delete(id);
    return 'Signer deleted successfully';
  }

  private async answer(signer: SignerEntity): Promise<SignerResponse> {
    return toSignerResponse(signer, await this.signers.identityOf(signer));
  }
}
