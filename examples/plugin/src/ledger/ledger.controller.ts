import { Body, Controller, Get, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiEnvelope,
  ApiEnvelopeList,
  ApiFailures,
  RateLimited,
  RequireScope,
} from 'relayer-management-service';
import { BookEntryDto } from './book-entry.dto';
import { LedgerEntryResponse, toLedgerEntryResponse } from './ledger-entry.response';
import { LedgerService } from './ledger.service';

const NO_RELAYER = { 404: 'Relayer with ID <relayer_id> not found' };

/** Below `/api/v1` clients expect the envelope and an API key; the service provides both. */
@ApiTags('Ledger')
@Controller('api/v1/acme-ledger')
@RateLimited()
export class LedgerController {
  constructor(private readonly ledger: LedgerService) {}

  @Post('entries')
  @RequireScope('acme-ledger.entries:write')
  @ApiOperation({ summary: 'Sign a statement and book it', description: 'Requires `sign:messages` as well.' })
  @ApiEnvelope(LedgerEntryResponse, HttpStatus.CREATED)
  @ApiFailures(NO_RELAYER)
  async book(@Body() body: BookEntryDto): Promise<LedgerEntryResponse> {
    return toLedgerEntryResponse(await this.ledger.book(body.relayer_id, body.statement));
  }

  @Get('relayers/:relayer_id/entries')
  @RequireScope('acme-ledger.entries:read')
  @ApiOperation({ summary: 'List the latest entries of a relayer' })
  @ApiEnvelopeList(LedgerEntryResponse)
  @ApiFailures(NO_RELAYER)
  async list(@Param('relayer_id') relayerId: string): Promise<LedgerEntryResponse[]> {
    return (await this.ledger.latest(relayerId)).map(toLedgerEntryResponse);
  }
}
