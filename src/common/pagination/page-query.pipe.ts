import { Injectable, PipeTransform } from '@nestjs/common';
import { invalidRequest } from '../errors/domain-error';
import { MAX_PER_PAGE, type PageQuery } from './page-query';

/** Reads `page` and `per_page`; other query parameters are none of its business. */
@Injectable()
export class PageQueryPipe implements PipeTransform<Record<string, unknown>, PageQuery> {
  transform(query: Record<string, unknown>): PageQuery {
    const page = nonNegativeInteger('page', query.page, 1);
    const per_page = nonNegativeInteger('per_page', query.per_page, 10);
    if (per_page > MAX_PER_PAGE) throw invalidRequest(`per_page must not exceed ${MAX_PER_PAGE}`);
    return { page: Math.max(page, 1), per_page };
  }
}

function nonNegativeInteger(name: string, value: unknown, whenAbsent: number): number {
  if (value === undefined) return whenAbsent;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN;
  if (!Number.isSafeInteger(number)) {
    throw invalidRequest(`${name} must be given once, as an integer from 0 to ${Number.MAX_SAFE_INTEGER}`);
  }
  return number;
}
