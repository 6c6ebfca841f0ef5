import { Injectable, PipeTransform } from '@nestjs/common';
import { readNonNegativeInteger, readPerPage } from './page-parameters';
import type { PageQuery } from './page-query';

/** Reads `page` and `per_page`; other query parameters are ignored. */
@Injectable()
export class PageQueryPipe implements PipeTransform<Record<string, unknown>, PageQuery> {
  transform(query: Record<string, unknown>): PageQuery {
    const page = readNonNegativeInteger('page', query.page, 1);
    return { page: Math.max(page, 1), per_page: readPerPage(query.per_page) };
  }
}
