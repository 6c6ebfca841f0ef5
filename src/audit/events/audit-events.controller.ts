import { Readable } from 'node:stream';
import { Controller, Get, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../access/require-scope.decorator';
import { SkipEnvelope } from '../../common/envelope/skip-envelope.decorator';
import { sendFailure } from '../../common/errors/send-failure';
import { ApiEnvelopeCursorPage, ApiFailures } from '../../common/openapi/api-responses';
import type { CursorPage } from '../../common/pagination/cursor-page';
import type { AuditEventEntity } from '../audit-event.entity';
import {
  AuditEventFilter,
  AuditEventFilterPipe,
  AuditEventQuery,
  AuditEventQueryPipe,
} from './audit-event.query';
import { AuditEventResponse, toAuditEventResponse, toAuditLines } from './audit-event.response';
import { AuditEventsService } from './audit-events.service';

/** Time in which the client of an export must read some bytes. @limit Connections and requests */
const STALLED_EXPORT_MS = 20_000;

@ApiTags('Audit log')
@Controller('api/v1/audit-events')
@RequireScope('audit:read')
export class AuditEventsController {
  constructor(private readonly events: AuditEventsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listAuditEvents',
    summary: 'List audit events, newest first',
    description:
      'An API key that is limited to some relayers sees only the events that concern these. A page has fewer events than `per_page`, or none, if they are large or few match several filters; `next_cursor` continues, and is null at the end.',
  })
  @ApiEnvelopeCursorPage(AuditEventResponse)
  @ApiFailures()
  async list(@Query(AuditEventQueryPipe) query: AuditEventQuery): Promise<CursorPage<AuditEventResponse>> {
    return (await this.events.list(query)).map(toAuditEventResponse);
  }

  @Get('export')
  @SkipEnvelope()
  @ApiOperation({
    operationId: 'exportAuditEvents',
    summary: 'Export audit events, oldest first',
    description: 'NDJSON: an event in each line. A response that ends early is cut off, not closed.',
  })
  @ApiOkResponse({
    description: 'An event on each line',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  @ApiFailures()
  async export(
    @Query(AuditEventFilterPipe) filter: AuditEventFilter,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const events = await this.events.export(filter);
    response.setTimeout(STALLED_EXPORT_MS, () => response.destroy());
    const stream = Readable.from(lines(events), { objectMode: false });
    return new StreamableFile(stream, { type: 'application/x-ndjson' }).setErrorHandler((error) => {
      sendFailure(error, response);
    });
  }
}

async function* lines(pages: AsyncIterable<AuditEventEntity[]>): AsyncGenerator<Buffer> {
  for await (const page of pages) yield Buffer.from(toAuditLines(page));
}
