import { Controller, Get, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { currentPrincipal, type Principal } from '../access/principal';
import { RequireScope } from '../access/require-scope.decorator';
import { ApiEnvelope, ApiEnvelopePage, ApiFailures } from '../common/openapi/api-responses';
import type { ListPage } from '../common/pagination/list-page';
import { IdParam } from '../common/validation/id-param.decorator';
import { ChangeDecisionsService } from './change-decisions.service';
import { ChangeQueries } from './change-queries';
import { changeNotFound } from './change.errors';
import { ChangeListPipe, ChangeListQuery } from './dto/change-list.query';
import { PendingChangeResponse, toPendingChangeResponse } from './dto/pending-change.response';

const NOT_FOUND = { 404: 'Change with ID <change_id> not found' };

/** Changes that need the approval of others. */
@ApiTags('Changes')
@Controller('api/v1/changes')
@RequireScope('approve')
export class ChangesController {
  constructor(
    private readonly queries: ChangeQueries,
    private readonly decisions: ChangeDecisionsService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listChanges',
    summary: 'List changes that needed approval, in the order of their requests',
    description:
      'A page of more than 16 MiB is 400; by cursor it has fewer items than `per_page`, and `next_cursor` continues. The same applies to an API key that reaches only a few of many changes.',
  })
  @ApiEnvelopePage(PendingChangeResponse)
  @ApiFailures()
  async list(@Query(ChangeListPipe) query: ChangeListQuery): Promise<ListPage<PendingChangeResponse>> {
    return (await this.queries.list(query, principal())).map(toPendingChangeResponse);
  }

  @Get(':change_id')
  @ApiOperation({ operationId: 'getChange', summary: 'Show a change' })
  @ApiEnvelope(PendingChangeResponse)
  @ApiFailures(NOT_FOUND)
  async get(@IdParam('change_id', changeNotFound) id: string): Promise<PendingChangeResponse> {
    return toPendingChangeResponse(await this.queries.getOrThrow(id, principal()));
  }

  @Post(':change_id/approve')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'approveChange',
    summary: 'Approve a change',
    description:
      'The last approval that it needs applies it, with the rights that its requester has then. Its requester cannot approve it.',
  })
  @ApiEnvelope(PendingChangeResponse)
  @ApiFailures({
    ...NOT_FOUND,
    409: 'Change is not pending, Change already approved, Change cannot be applied',
  })
  async approve(@IdParam('change_id', changeNotFound) id: string): Promise<PendingChangeResponse> {
    return toPendingChangeResponse(await this.decisions.approve(id, principal()));
  }

  @Post(':change_id/reject')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'rejectChange',
    summary: 'Reject a change',
    description:
      'One key is enough, and the rejection is final. The requester withdraws a change in the same way.',
  })
  @ApiEnvelope(PendingChangeResponse)
  @ApiFailures({ ...NOT_FOUND, 409: 'Change is not pending' })
  async reject(@IdParam('change_id', changeNotFound) id: string): Promise<PendingChangeResponse> {
    return toPendingChangeResponse(await this.decisions.reject(id, principal()));
  }
}

/** No route of this controller is public. */
function principal(): Principal {
  const current = currentPrincipal();
  if (!current) throw new Error('The request has no principal');
  return current;
}
