import { Injectable, PipeTransform } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { readChoice } from '../../common/pagination/page-parameters';
import { PageQuery } from '../../common/pagination/page-query';
import { PageQueryPipe } from '../../common/pagination/page-query.pipe';
import { CHANGE_STATUSES, type ChangeStatus } from '../change.entity';

/** The part of a list of changes that the caller requests. */
export class ChangeListQuery extends PageQuery {
  /** Changes in this state only. */
  @ApiPropertyOptional({ type: String, pattern: `^(${CHANGE_STATUSES.join('|')})$` })
  status?: ChangeStatus;
}

/** Reads the filter of a list of changes; other query parameters are ignored. */
@Injectable()
export class ChangeListPipe implements PipeTransform<Record<string, unknown>, ChangeListQuery> {
  private readonly pages = new PageQueryPipe();

  transform(query: Record<string, unknown>): ChangeListQuery {
    const { status } = query;
    return Object.assign(
      this.pages.transform(query),
      status === undefined ? {} : { status: readChoice('status', CHANGE_STATUSES, status) },
    );
  }
}
