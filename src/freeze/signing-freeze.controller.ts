import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../access/require-scope.decorator';
import { Approvable } from '../approvals/approvable.decorator';
import { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import { recordWarning } from '../common/http/request-context';
import { ApiEnvelope, ApiFailures } from '../common/openapi/api-responses';
import { FreezeSigningDto, UnfreezeSigningDto } from './dto/freeze-signing.dto';
import { SigningFreezeResponse, toSigningFreezeResponse } from './dto/signing-freeze.response';
import { SigningFreezeService } from './signing-freeze.service';
import { Unfreezing } from './unfreezing';

/** The switch for all signing. It has no share in the rate limit of the signing routes, so their load cannot block it. */
@ApiTags('Signing')
@Controller('api/v1/signing')
@RequireScope('freeze')
export class SigningFreezeController {
  constructor(
    private readonly signing: SigningFreezeService,
    private readonly unfreezing: Unfreezing,
  ) {}

  @Get('freeze')
  @ApiOperation({ operationId: 'getSigningFreeze', summary: 'Show whether signing is frozen' })
  @ApiEnvelope(SigningFreezeResponse)
  @ApiFailures()
  async get(): Promise<SigningFreezeResponse> {
    return toSigningFreezeResponse(await this.signing.state());
  }

  @Post('freeze')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'freezeSigning',
    summary: 'Stop all signing',
    description:
      'Applies to every relayer on every instance from the next signature on, also to batches in progress, and survives restarts. If signing is frozen already, the first reason and time stay, and pending requests to unfreeze are void.',
  })
  @ApiEnvelope(SigningFreezeResponse)
  @ApiFailures()
  async freeze(@Body() { reason }: FreezeSigningDto): Promise<SigningFreezeResponse> {
    const { state, changed } = await this.signing.freeze(reason);
    if (!changed) recordWarning('Signing was frozen already: the first reason and time stay');
    return toSigningFreezeResponse(state);
  }

  @Post('unfreeze')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'unfreezeSigning',
    summary: 'Let relayers sign again',
    description: 'Paused relayers stay paused. The body is optional.',
  })
  @ApiBody({ type: UnfreezeSigningDto, required: false })
  @Approvable()
  @ApiEnvelope(SigningFreezeResponse)
  @ApiFailures()
  async unfreeze(
    @Body() { reason }: UnfreezeSigningDto,
  ): Promise<SigningFreezeResponse | PendingChangeResponse> {
    const changed = await this.unfreezing.request(reason ?? undefined);
    if (changed instanceof PendingChangeResponse) return changed;
    if (!changed) recordWarning('Signing was not frozen');
    return toSigningFreezeResponse({ frozen: false });
  }
}
