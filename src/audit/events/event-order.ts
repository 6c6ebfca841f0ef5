import { Brackets, type SelectQueryBuilder } from 'typeorm';
import type { AuditEventEntity } from '../audit-event.entity';
import type { AuditCursor } from './audit-cursor';

export type Events = SelectQueryBuilder<AuditEventEntity>;

/** Oldest or newest first. */
export type EventOrder = 'ASC' | 'DESC';

/** Sorts events in the order of the list. */
export const sorted = (events: Events, order: EventOrder): Events =>
  events.orderBy('event.at', order).addOrderBy('event.chain', order).addOrderBy('event.sequence', order);

/** Selects the events after a cursor in an order. */
export const after = (events: Events, cursor: AuditCursor, order: EventOrder): Events =>
  restrict(events, 'after', order === 'ASC' ? '>' : '<', '', cursor);

/** Selects the events before a cursor in an order, and the one at the cursor. */
export const upTo = (events: Events, cursor: AuditCursor, order: EventOrder): Events =>
  restrict(events, 'end', order === 'ASC' ? '<' : '>', '=', cursor);

/** The first condition lets every database start from its index. */
function restrict(
  events: Events,
  name: string,
  beyond: '<' | '>',
  equal: '' | '=',
  cursor: AuditCursor,
): Events {
  const { at, chain, sequence } = cursor;
  const parameters = { [`${name}At`]: at, [`${name}Chain`]: chain, [`${name}Sequence`]: sequence };
  return events
    .andWhere(`event.at ${beyond}= :${name}At`, parameters)
    .andWhere(
      new Brackets((rest) =>
        rest
          .where(`event.at ${beyond} :${name}At`)
          .orWhere(`event.chain ${beyond} :${name}Chain`)
          .orWhere(`(event.chain = :${name}Chain AND event.sequence ${beyond}${equal} :${name}Sequence)`),
      ),
    );
}
