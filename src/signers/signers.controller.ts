import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../access/require-scope.decorator';
import { Approvable } from '../approvals/approvable.decorator';
import type { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import { ApiEnvelope, ApiEnvelopePage, ApiEnvelopeText, ApiFailures } from '../common/openapi/api-responses';
import type { ListPage } from '../common/pagination/list-page';
import { PageQuery } from '../common/pagination/page-query';
import { PageQueryPipe } from '../common/pagination/page-query.pipe';
import { IdParam } from '../common/validation/id-param.decorator';
import { CreateSignerDto, UpdateSignerDto } from './dto/create-signer.dto';
import { SignerResponse, toSignerResponse } from './dto/signer.response';
import { HTTP_SOURCES } from './http-sources';
import type { SignerEntity } from './signer.entity';
import { SignerKeys } from './opening/signer-keys';
import { signerNotFound, signerUpdatesRefused } from './signer.errors';
import { SignerDeletion } from './signer-deletion';
import { SignersService } from './signers.service';

const NOT_FOUND = { 404: 'Signer with ID <signer_id> not found' };

@ApiTags('Signers')
@Controller('api/v1/signers')
export class SignersController {
  constructor(
    private readonly signers: SignersService,
    private readonly keys: SignerKeys,
    private readonly deletion: SignerDeletion,
  ) {}

  @Get()
  @RequireScope('signers:read')
  @ApiOperation({ operationId: 'listSigners', summary: 'List signers' })
  @ApiEnvelopePage(SignerResponse)
  @ApiFailures()
  async list(@Query(PageQueryPipe) query: PageQuery): Promise<ListPage<SignerResponse>> {
    const signers = await this.signers.list(query);
    return signers.withItems(await Promise.all(signers.items.map((signer) => this.responseOf(signer))));
  }

  @Get(':signer_id')
  @RequireScope('signers:read')
  @ApiOperation({ operationId: 'getSigner', summary: 'Show a signer, with its address and public key' })
  @ApiEnvelope(SignerResponse)
  @ApiFailures(NOT_FOUND)
  async get(@IdParam('signer_id', signerNotFound) id: string): Promise<SignerResponse> {
    return this.responseOf(await this.signers.getOrThrow(id));
  }

  @Post()
  @RequireScope('signers:write')
  @ApiOperation({
    operationId: 'createSigner',
    summary: 'Create a signer',
    description:
      'It is stored only after it has signed a challenge that recovers to its address, so none is created while signing is frozen.',
  })
  @ApiEnvelope(SignerResponse, HttpStatus.CREATED)
  @ApiFailures({ 403: 'Signing frozen', 409: 'Signer with this ID already exists' })
  async create(@Body() body: CreateSignerDto): Promise<SignerResponse> {
    return this.responseOf(
      await this.signers.createNew(body.id ?? undefined, body.type, body.config, HTTP_SOURCES),
    );
  }

  @Patch(':signer_id')
  @HttpCode(HttpStatus.BAD_REQUEST)
  @RequireScope('signers:write')
  @ApiOperation({
    operationId: 'updateSigner',
    summary: 'Refused: a signer is never changed',
    description: 'Always 400, or 404 for a signer that does not exist.',
  })
  @ApiBody({ schema: { type: 'object', maxProperties: 0 } })
  @ApiFailures(NOT_FOUND)
  async update(
    @IdParam('signer_id', signerNotFound) id: string,
    @Body() _body: UpdateSignerDto,
  ): Promise<never> {
    await this.signers.getOrThrow(id);
    throw signerUpdatesRefused();
  }

  @Delete(':signer_id')
  @RequireScope('signers:write')
  @ApiOperation({
    operationId: 'deleteSigner',
    summary: 'Delete a signer that no relayer uses',
    description:
      'An API key that is limited to some relayers must reach all relayers that had the signer or its address, deleted ones included. If there are none, it must have created the signer.',
  })
  @ApiEnvelopeText('Signer deleted successfully')
  @Approvable()
  @ApiFailures({ ...NOT_FOUND, 409: 'Signer is in use' })
  async delete(@IdParam('signer_id', signerNotFound) id: string): Promise<string | PendingChangeResponse> {
    return (await this.deletion.request(id)) ?? 'Signer deleted successfully';
  }

  private async responseOf(signer: SignerEntity): Promise<SignerResponse> {
    return toSignerResponse(signer, await this.keys.identityOf(signer));
  }
}
