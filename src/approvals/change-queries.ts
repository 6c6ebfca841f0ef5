import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, LessThanOrEqual, MoreThan } from 'typeorm';
import type { Principal } from '../access/principal';
import { CursorPage } from '../common/pagination/cursor-page';
import { formatCursor, type ListCursor } from '../common/pagination/list-cursor';
import type { ListPage } from '../common/pagination/list-page';
import { Page } from '../common/pagination/page';
import { ChangeRows } from './change-rows';
import type { ChangeEntity, ChangeStatus } from './change.entity';
import { changeNotFound } from './change.errors';
import type { ChangeListQuery } from './dto/change-list.query';
import { isVisible, visibleTo } from './visible-changes';

type Condition = FindOptionsWhere<ChangeEntity>;

const ORDER = { createdAt: 'ASC', id: 'ASC' } as const;

/** Reads the changes that a principal may see. */
@Injectable()
export class ChangeQueries {
  constructor(private readonly rows: ChangeRows) {}

  /** @throws DomainError `change_not_found` */
  async getOrThrow(id: string, principal: Principal): Promise<Readonly<ChangeEntity>> {
    const change = await this.rows.find(id);
    if (!change || !isVisible(change, principal)) throw changeNotFound(id);
    return change;
  }

  /** Lists changes in the order in which they were requested. */
  list(query: ChangeListQuery, principal: Principal): Promise<ListPage<ChangeEntity>> {
    const where = both(visibleTo(principal), conditionsOf(query.status));
    return query.cursor === undefined
      ? this.page(where, query)
      : this.after(where, query.cursor, query.per_page);
  }

  private async page(
    where: Condition[],
    { page, per_page: perPage }: ChangeListQuery,
  ): Promise<Page<ChangeEntity>> {
    const skip = (page - 1) * perPage;
    const isEmpty = perPage === 0 || !Number.isSafeInteger(skip);
    const [found, total] = await Promise.all([
      isEmpty ? [] : this.rows.findAll({ where, order: ORDER, skip, take: perPage }),
      this.rows.count(where),
    ]);
    return new Page(found, page, perPage, total);
  }

  private async after(
    where: Condition[],
    cursor: ListCursor | null,
    perPage: number,
  ): Promise<CursorPage<ChangeEntity>> {
    const following: Condition[] = cursor
      ? [{ createdAt: MoreThan(cursor.createdAt) }, { createdAt: cursor.createdAt, id: MoreThan(cursor.id) }]
      : [{}];
    const query = { where: both(where, following), order: ORDER, take: perPage + 1 };
    const found = await this.rows.findAll(query);
    const items = found.slice(0, perPage);
    const last = found.length > perPage ? (items.at(-1) ?? cursor) : undefined;
    return new CursorPage(items, perPage, last ? formatCursor(last) : null);
  }
}

/** Alternatives that combine one condition from each list; conditions of different lists have no members in common. */
const both = (first: Condition[], second: Condition[]): Condition[] =>
  first.flatMap((one) => second.map((other) => ({ ...one, ...other })));

function conditionsOf(status: ChangeStatus | undefined): Condition[] {
  const now = new Date();
  if (status === undefined) return [{}];
  if (status === 'pending') return [{ status, expiresAt: MoreThan(now) }];
  if (status === 'expired') return [{ status }, { status: 'pending', expiresAt: LessThanOrEqual(now) }];
  return [{ status }];
}
