import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, LessThanOrEqual, MoreThan } from 'typeorm';
import type { Principal } from '../access/principal';
import type { ListPage } from '../common/pagination/list-page';
import { LargeRowPages } from '../database/large-row-pages';
import { ChangeRows } from './change-rows';
import type { ChangeEntity, ChangeStatus } from './change.entity';
import { changeNotFound } from './change.errors';
import type { ChangeListQuery } from './dto/change-list.query';
import { isVisible, visibleTo } from './visible-changes';

type Condition = FindOptionsWhere<ChangeEntity>;

/** Reads the changes that a principal may see. */
@Injectable()
export class ChangeQueries {
  private readonly pages: LargeRowPages<ChangeEntity>;

  constructor(private readonly rows: ChangeRows) {
    this.pages = new LargeRowPages({
      repository: () => rows.repository,
      find: (query) => rows.findAll(query),
      largeColumns: ['request'],
      order: 'ASC',
    });
  }

  /** @throws DomainError `change_not_found` */
  async getOrThrow(id: string, principal: Principal): Promise<Readonly<ChangeEntity>> {
    const change = await this.rows.find(id);
    if (!change || !isVisible(change, principal)) throw changeNotFound(id);
    return change;
  }

  /** Lists changes in the order in which they were requested. @throws DomainError `invalid_request` */
  list(query: ChangeListQuery, principal: Principal): Promise<ListPage<ChangeEntity>> {
    const where = both(visibleTo(principal), conditionsOf(query.status));
    return this.pages.list(where, query);
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
