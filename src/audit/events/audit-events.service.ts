import { AsyncResource } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { Brackets, type SelectQueryBuilder } from 'typeorm';
import { OngoingAccess } from '../../access/ongoing-access';
import { currentPrincipal, type RelayerReach } from '../../access/principal';
import { CursorPage } from '../../common/pagination/cursor-page';
import { UnitOfWork } from '../../database/unit-of-work';
import { AuditEventEntity } from '../audit-event.entity';
import { type AuditPart, readPart } from '../audit-part';
import { type AuditCursor, formatAuditCursor } from './audit-cursor';
import type { AuditEventFilter, AuditEventQuery } from './audit-event.query';

type Events = SelectQueryBuilder<AuditEventEntity>;

/** The number of events that an export holds in memory. */
const EXPORT_PAGE = 500;

/** Reads recorded events. A caller that reaches only some relayers sees only the events about those. */
@Injectable()
export class AuditEventsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly access: OngoingAccess,
  ) {}

  /** Lists the newest events first; fewer than `per_page` if they are large. */
  async list({
    per_page: perPage,
    cursor,
    ...filter
  }: AuditEventQuery): Promise<CursorPage<AuditEventEntity>> {
    const { events, isLast } = await this.part(filter, cursor ?? undefined, 'DESC', perPage);
    const last = isLast ? undefined : (events.at(-1) ?? cursor);
    return new CursorPage(events, perPage, last ? formatAuditCursor(last) : null);
  }

  /**
   * Reads all events in pages, oldest first, as long as the caller may read them. The first page is read immediately,
   * so that a failure can still be reported.
   */
  async export(filter: AuditEventFilter): Promise<AsyncIterable<AuditEventEntity[]>> {
    // The response requests the pages outside of the request's context.
    const read = AsyncResource.bind(async (after?: AuditCursor): Promise<AuditPart> => {
      if (after) await this.access.recheck('audit:read');
      return this.part(filter, after, 'ASC', EXPORT_PAGE);
    });
    return pages(await read(), read);
  }

  private part(
    filter: AuditEventFilter,
    after: AuditCursor | undefined,
    order: 'ASC' | 'DESC',
    limit: number,
  ): Promise<AuditPart> {
    return readPart(following(this.select(filter, currentPrincipal()?.reach), after, order), limit);
  }

  private select(
    { action, relayerId, keyId, since, until }: AuditEventFilter,
    reach: RelayerReach | undefined,
  ): Events {
    const events = this.unitOfWork.repository(AuditEventEntity).createQueryBuilder('event');
    if (action !== undefined) events.andWhere('event.action = :action', { action });
    if (relayerId !== undefined) events.andWhere('event.relayer_id = :relayerId', { relayerId });
    if (keyId !== undefined) events.andWhere('event.key_id = :keyId', { keyId });
    if (since) events.andWhere('event.at >= :since', { since });
    if (until) events.andWhere('event.at < :until', { until });
    if (reach) restrict(events, reach);
    return events;
  }
}

/**
 * A group consists of the relayers that are in it now. Events about deleted relayers are therefore not visible to its
 * keys.
 */
function restrict(events: Events, { relayers, groups }: RelayerReach): void {
  const alternatives: string[] = [];
  if (relayers.size > 0) alternatives.push('event.relayer_id IN (:...relayers)');
  if (groups.size > 0)
    alternatives.push('event.relayer_id IN (SELECT id FROM relayers WHERE relayer_group IN (:...groups))');
  const condition = alternatives.length > 0 ? `(${alternatives.join(' OR ')})` : '1 = 0';
  events.andWhere(condition, { relayers: [...relayers], groups: [...groups] });
}

/** The events after a cursor. The first condition lets every database start from its index. */
function following(events: Events, after: AuditCursor | undefined, order: 'ASC' | 'DESC'): Events {
  const beyond = order === 'ASC' ? '>' : '<';
  if (after) {
    events
      .andWhere(`event.at ${beyond}= :at`, after)
      .andWhere(
        new Brackets((rest) =>
          rest
            .where(`event.at ${beyond} :at`)
            .orWhere(`event.chain ${beyond} :chain`)
            .orWhere(`(event.chain = :chain AND event.sequence ${beyond} :sequence)`),
        ),
      );
  }
  return events
    .orderBy('event.at', order)
    .addOrderBy('event.chain', order)
    .addOrderBy('event.sequence', order);
}

async function* pages(
  first: AuditPart,
  read: (after?: AuditCursor) => Promise<AuditPart>,
): AsyncGenerator<AuditEventEntity[]> {
  for (let part = first; part.events.length > 0; part = await read(part.events.at(-1))) {
    yield part.events;
    if (part.isLast) return;
  }
}
