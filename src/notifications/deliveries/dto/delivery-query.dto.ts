import { ApiPropertyOptional } from '@nestjs/swagger';
import { DATE_TIME_SCHEMA, oneOfEnum } from '../../../common/openapi/schemas';
import { PER_PAGE_SCHEMA } from '../../../common/pagination/page-query';
import { NOTIFICATION_EVENTS } from '../../events/notification-event';
import type { ListCursor } from '../../../common/pagination/list-cursor';
import { DELIVERY_STATES, type DeliveryState } from '../delivery.entity';

/** Selects the deliveries of a notification that match every filter. */
export class DeliveryQuery {
  /** Deliveries in this state only. */
  @ApiPropertyOptional({ type: String, pattern: `^(${DELIVERY_STATES.join('|')})$` })
  state?: DeliveryState;

  /** Deliveries of this event only. */
  @ApiPropertyOptional(oneOfEnum('NotificationEvent', NOTIFICATION_EVENTS))
  event?: string;

  /** Created at this time (RFC 3339) or later. */
  @ApiPropertyOptional({ ...DATE_TIME_SCHEMA, example: '2026-01-31T12:00:00Z' })
  since?: Date;

  /** Created before this time (RFC 3339). */
  @ApiPropertyOptional({ ...DATE_TIME_SCHEMA, example: '2026-02-01T12:00:00Z' })
  until?: Date;

  /** The `next_cursor` of the previous response, with the same filters; empty for the first page. */
  @ApiPropertyOptional({ type: String })
  cursor?: ListCursor;

  /** Items of the page. */
  @ApiPropertyOptional(PER_PAGE_SCHEMA)
  per_page!: number;
}
