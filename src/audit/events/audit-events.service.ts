import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { OngoingAccess } from '../../access/ongoing-access';
import { currentReach } from '../../access/relayer-reach';
import { CursorPage } from '../../common/pagination/cursor-page';
import { UnitOfWork } from '../../database/unit-of-work';
import { AuditEventEntity } from '../audit-event.entity';
import { readPart } from '../audit-part';
import { type AuditCursor, formatAuditCursor } from './audit-cursor';
import type { AuditEventFilter, AuditEventQuery } from './audit-event.query';
import { planScan } from './bounded-scan';
import { conditionsOf } from './event-conditions';
import { after, type EventOrder, type Events, sorted, upTo } from './event-order';
import { reachedRelayers } from '../../access/reached-relayers';

/** The number of events that an export holds in memory. */
const EXPORT_PAGE = 500;

/** Some of the events, and where to continue; undefined at the end. */
interface Part {
  events: AuditEventEntity[];
  next: AuditCursor | undefined;
}

/** Reads recorded events. A caller that reaches only some relayers sees only the events about those. */
@Injectable()
export class AuditEventsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly access: OngoingAccess,
  ) {}

  /** Lists the newest events first; fewer than `per_page` if they are large, or few match several filters. */
  async list({
    per_page: perPage,
    cursor,
    ...filter
  }: AuditEventQuery): Promise<CursorPage<AuditEventEntity>> {
    const { events, next } = await this.part(filter, cursor ?? undefined, 'DESC', perPage);
    return new CursorPage(events, perPage, next ? formatAuditCursor(next) : null);
  }

  /**
   * Reads all events in pages, oldest first, as long as the caller may read them. The first page is read immediately,
   * so that a failure can still be reported.
   */
  async export(filter: AuditEventFilter): Promise<AsyncIterable<AuditEventEntity[]>> {
    // The response requests the pages outside of the request's context.
    const read = AsyncResource.bind(async (from?: AuditCursor): Promise<Part> => {
      if (from) await this.access.recheck('audit:read');
      return this.part(filter, from, 'ASC', EXPORT_PAGE);
    });
    return pages(await read(), read);
  }

  private async part(
    filter: AuditEventFilter,
    from: AuditCursor | undefined,
    order: EventOrder,
    limit: number,
  ): Promise<Part> {
    const reach = currentReach();
    const reached = reach && (await reachedRelayers(this.unitOfWork, reach));
    const conditions = conditionsOf(filter, reached);
    const range = (): Events => this.range(filter, from, order);
    const scan = await planScan(range, conditions, order);
    const events = range();
    for (const condition of conditions) {
      // The sign keeps SQLite from using the index of another condition.
      const sign = condition === scan.by ? '' : '+';
      events.andWhere(`${sign}${condition.column} ${condition.test}`, condition.parameters);
    }
    if (scan.end) upTo(events, scan.end, order);
    const part = await readPart(sorted(events, order), limit);
    return { events: part.events, next: part.isLast ? scan.end : (part.events.at(-1) ?? from) };
  }

  private range(
    { since, until }: AuditEventFilter,
    from: AuditCursor | undefined,
    order: EventOrder,
  ): Events {
    const events = this.unitOfWork.repository(AuditEventEntity).createQueryBuilder('event');
    if (since) events.andWhere('event.at >= :since', { since });
    if (until) events.andWhere('event.at < :until', { until });
    return from ? after(events, from, order) : events;
  }
}

/** Between parts without events, other requests are served. */
async function* pages(
  first: Part,
  read: (from?: AuditCursor) => Promise<Part>,
): AsyncGenerator<AuditEventEntity[]> {
  for (let part = first; ; part = await read(part.next)) {
    if (part.events.length > 0) yield part.events;
    else await setImmediate();
    if (!part.next) return;
  }
}
