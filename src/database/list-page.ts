import type { ObjectLiteral, Repository } from 'typeorm';
import { Page } from '../common/pagination/page';
import type { PageQuery } from '../common/pagination/page-query';

/** The order of every list: creation time, then id. */
export const LIST_ORDER = { createdAt: 'ASC', id: 'ASC' } as const;

/**
 * One page of a resource.
 *
 * @param read the rows of the page in {@link LIST_ORDER}; not called for a page that has none
 */
export async function pageOf<T extends ObjectLiteral>(
  repository: Repository<T>,
  { page, per_page }: PageQuery,
  read: (skip: number, take: number) => Promise<T[]>,
): Promise<Page<T>> {
  const total = await repository.count();
  const skip = (page - 1) * per_page;
  // A page past the end may lie beyond what a database takes as an offset.
  const isEmpty = per_page === 0 || skip >= total;
  return new Page(isEmpty ? [] : await read(skip, per_page), page, per_page, total);
}
