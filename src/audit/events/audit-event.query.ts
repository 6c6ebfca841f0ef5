import { Injectable, type PipeTransform } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { invalidRequest } from '../../common/errors/domain-error';
import { DATE_TIME_SCHEMA } from '../../common/openapi/schemas';
import { assertFirstPage, readPerPage, readTime } from '../../common/pagination/page-parameters';
import { PER_PAGE_SCHEMA } from '../../common/pagination/page-query';
import { hasLength } from '../../common/validation/fields';
import { type AuditCursor, parseAuditCursor } from './audit-cursor';

const MAX_TEXT = 128;
const FILTER = { type: String, minLength: 1, maxLength: MAX_TEXT };

/** Selects the events that match every filter. */
export class AuditEventFilter {
  /** What was done, such as `signature.create`. */
  @ApiPropertyOptional({ ...FILTER, example: 'signature.create' })
  action?: string;

  /** Events that concern this relayer. */
  @ApiPropertyOptional({ ...FILTER, name: 'relayer_id' })
  relayerId?: string;

  /** `root` for the root key. */
  @ApiPropertyOptional({ ...FILTER, name: 'key_id' })
  keyId?: string;

  /** Recorded at this time or later. */
  @ApiPropertyOptional(DATE_TIME_SCHEMA)
  since?: Date;

  /** Recorded before this time. */
  @ApiPropertyOptional(DATE_TIME_SCHEMA)
  until?: Date;
}

/** A page of events, newest first. */
export class AuditEventQuery extends AuditEventFilter {
  /** Items of the page. */
  @ApiPropertyOptional(PER_PAGE_SCHEMA)
  per_page!: number;

  /** Empty or left out for the first page, then the `next_cursor` of the previous response. */
  @ApiPropertyOptional({ type: String, nullable: false })
  cursor?: AuditCursor | null;
}

/** Reads the filters; other query parameters are ignored. */
@Injectable()
export class AuditEventFilterPipe implements PipeTransform<Record<string, unknown>, AuditEventFilter> {
  transform({ action, relayer_id, key_id, since, until }: Record<string, unknown>): AuditEventFilter {
    return {
      ...(action !== undefined && { action: readText('action', action) }),
      ...(relayer_id !== undefined && { relayerId: readText('relayer_id', relayer_id) }),
      ...(key_id !== undefined && { keyId: readText('key_id', key_id) }),
      ...(since !== undefined && { since: readTime('since', since) }),
      ...(until !== undefined && { until: readTime('until', until) }),
    };
  }
}

/** Reads filters, `per_page` and `cursor`. @throws DomainError `invalid_request` */
@Injectable()
export class AuditEventQueryPipe implements PipeTransform<Record<string, unknown>, AuditEventQuery> {
  private readonly filter = new AuditEventFilterPipe();

  transform(query: Record<string, unknown>): AuditEventQuery {
    const { page, cursor, per_page } = query;
    assertFirstPage(page);
    return Object.assign(this.filter.transform(query), {
      per_page: readPerPage(per_page),
      cursor: cursor === undefined || cursor === '' ? null : parseAuditCursor(cursor),
    });
  }
}

function readText(name: string, value: unknown): string {
  if (typeof value === 'string' && hasLength(value, 1, MAX_TEXT)) return value;
  throw invalidRequest(`${name} must be given once, as a string of 1 to ${MAX_TEXT} characters`);
}
