import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import type { Principal } from '../access/principal';
import type { ListPage } from '../common/pagination/list-page';
import { type LargeRowList, LargeRowPages } from '../database/large-row-pages';
import { SparsePages } from '../database/sparse-pages';
import { ChangeRows } from './change-rows';
import { type ChangeEntity, type ChangeStatus, pendingNow } from './change.entity';
import { changeNotFound } from './change.errors';
import type { ChangeListQuery } from './dto/change-list.query';
import { isVisible, type StatusCondition, visibleTo } from './visible-changes';

/** Reads the changes that a principal may see. */
@Injectable()
export class ChangeQueries {
  private readonly pages: LargeRowPages<ChangeEntity>;
  private readonly visiblePages: SparsePages<ChangeEntity>;

  constructor(private readonly rows: ChangeRows) {
    const list: LargeRowList<ChangeEntity> = {
      repository: () => rows.repository,
      find: (query) => rows.findAll(query),
      largeColumns: ['request'],
      order: 'ASC',
      indexOf: ({ relayerId, relayerGroup, status }) => {
        if (relayerId || relayerGroup) return undefined;
        return status ? 'ix_change_requests_status' : 'ix_change_requests_created_at';
      },
    };
    this.pages = new LargeRowPages(list);
    this.visiblePages = new SparsePages(list);
  }

  /** @throws DomainError `change_not_found` */
  async getOrThrow(id: string, principal: Principal): Promise<Readonly<ChangeEntity>> {
    const change = await this.rows.find(id);
    if (!change || !isVisible(change, principal)) throw changeNotFound(id);
    return change;
  }

  /**
   * Lists changes in the order in which they were requested. A page by cursor has fewer than `per_page` if few of many are
   * visible.
   *
   * @throws DomainError `invalid_request`
   */
  list(query: ChangeListQuery, { reach }: Principal): Promise<ListPage<ChangeEntity>> {
    const conditions = conditionsOf(query.status);
    return reach
      ? this.visiblePages.list(visibleTo(reach, conditions), query)
      : this.pages.list([...conditions], query);
  }
}

function conditionsOf(status: ChangeStatus | undefined): StatusCondition[] {
  if (status === undefined) return [{}];
  if (status === 'pending') return [pendingNow()];
  if (status === 'expired')
    return [{ status }, { status: 'pending', expiresAt: LessThanOrEqual(new Date()) }];
  return [{ status }];
}
