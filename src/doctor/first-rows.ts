import type { ListPage } from '../common/pagination/list-page';
import { MAX_PER_PAGE, type PageQuery } from '../common/pagination/page-query';

/** The first rows of a table: an examination reads only one page of each table. */
export async function firstRows<T>(list: (query: PageQuery) => Promise<ListPage<T>>): Promise<readonly T[]> {
  return (await list({ page: 1, per_page: MAX_PER_PAGE })).items;
}
