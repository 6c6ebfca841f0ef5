import { ApiPropertyOptional } from '@nestjs/swagger';
import { NOTIFICATION_EVENTS, type NotificationEvent } from '../../notification-event';
import type { DeliveryCursor } from '../delivery-cursor';
import { DELIVERY_STATES, type DeliveryState } from '../delivery.entity';

export const MAX_DELIVERIES = 1000;
export const DEFAULT_DELIVERIES = 100;

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

  /** The `next_cursor` of the answer before, with the same filters. */
  @ApiPropertyOptional({ type: String, example: 'MTc2OTg2MDgwMDAwMDowZjRj' })
  cursor?: DeliveryCursor;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_DELIVERIES,
    default: DEFAULT_DELIVERIES,
    example: DEFAULT_DELIVERIES,
  })
  limit!: number;
}
