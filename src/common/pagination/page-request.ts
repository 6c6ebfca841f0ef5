import { type ListCursor, parseCursor } from './list-cursor';
import { readNonNegativeInteger, readPerPage } from './page-parameters';
import type { PageQuery } from './page-query';

/** The part of a list that a caller within the process requests, by page or by cursor. */
export interface PageRequest {
  /** Starts at 1, which is the default; not used with `cursor`. */
  page?: number;
  /** Items on a page, at most 1000; 10 by default. */
  per_page?: number;
  /** Null for the beginning of the list, then the `nextCursor` of the previous part. Routes pass a parsed one. */
  cursor?: string | ListCursor | null;
}

/** Checks a request by the rules for query parameters. @throws DomainError `invalid_request` */
export function checkedPage<R extends PageRequest>(request: R): R & PageQuery {
  const page = Math.max(readNonNegativeInteger('page', asText(request.page), 1), 1);
  const per_page = readPerPage(asText(request.per_page));
  const checked = Object.assign({}, request, { page, per_page });
  const { cursor } = request;
  return Object.assign(checked, typeof cursor === 'string' && { cursor: parsed(cursor) }) as R & PageQuery;
}

const asText = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

const parsed = (cursor: string): ListCursor | null => (cursor === '' ? null : parseCursor(cursor));
