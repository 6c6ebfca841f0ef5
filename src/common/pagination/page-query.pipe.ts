import { Injectable, PipeTransform } from '@nestjs/common';
import { invalidRequest } from '../errors/domain-error';
import { parseCursor } from './list-cursor';
import { readNonNegativeInteger, readPerPage } from './page-parameters';
import type { PageQuery } from './page-query';

/** Parses `page`, `per_page` and `cursor`; other query parameters are ignored. */
@Injectable()
export class PageQueryPipe implements PipeTransform<Record<string, unknown>, PageQuery> {
  transform({ page: number, per_page, cursor }: Record<string, unknown>): PageQuery {
    const page = Math.max(readNonNegativeInteger('page', number, 1), 1);
    const query = { page, per_page: readPerPage(per_page) };
    if (cursor === undefined) return query;
    if (number !== undefined) throw invalidRequest('page and cursor must not be given together');
    return { ...query, cursor: cursor === '' ? null : parseCursor(cursor) };
  }
}
