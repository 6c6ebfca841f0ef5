import { ApiPropertyOptional } from '@nestjs/swagger';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../../../common/pagination/page-query';
import { NOTIFICATION_EVENTS, type NotificationEvent } from '../../events/notification-event';
import type { ListCursor } from '../../../common/pagination/list-cursor';
import { DELIVERY_STATES, type DeliveryState } from '../delivery.entity';

/** Which deliveries of a notification the caller wants; all filters hold at once. */
export class DeliveryQuery {
  @ApiPropertyOptional({ type: String, enum: DELIVERY_STATES })
  state?: DeliveryState;

  @ApiPropertyOptional({ type: String, enum: NOTIFICATION_EVENTS })
  event?: NotificationEvent;

  /** Made at this time (RFC 3339) or later. */
  @ApiPropertyOptional({ type: String, format: 'date-time', example: '2026-01-31T12:00:00Z' })
  since?: Date;

  /** Made before this time (RFC 3339). */
  @ApiPropertyOptional({ type: String, format: 'date-time', example: '2026-02-01T12:00:00Z' })
  until?: Date;

  /** The `next_cursor` of the previous response, with the same filters; empty for the first page. */
  @ApiPropertyOptional({ type: String, example: 'MTc2OTg2MDgwMDAwMDowZjRj' })
  cursor?: ListCursor;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_PER_PAGE,
    default: DEFAULT_PER_PAGE,
    example: DEFAULT_PER_PAGE,
  })
  per_page!: number;
}
