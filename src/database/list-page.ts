import type { FindOptionsOrder, ObjectLiteral, Repository } from 'typeorm';
import { Page } from '../common/pagination/page';
import type { PageQuery } from '../common/pagination/page-query';

/** Reads one page of a resource in the order of every list: creation time, then id. */
export async function listPage<T extends ObjectLiteral & { id: string; createdAt: Date }>(
  repository: Repository<T>,
  { page, per_page }: PageQuery,
): Promise<Page<T>> {
  const total = await repository.count();
  const skip = (page - 1) * per_page;
  // A page past the end may lie beyond what a database takes as an offset.
  if (per_page === 0 || skip >= total) return new Page<T>([], page, per_page, total);
  const order = { createdAt: 'ASC', id: 'ASC' } as FindOptionsOrder<T>;
  return new Page(await repository.find({ order, skip, take: per_page }), page, per_page, total);
}
