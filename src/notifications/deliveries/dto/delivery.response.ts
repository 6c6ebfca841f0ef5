import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { growing, oneOfEnum } from '../../../common/openapi/schemas';
import { JSON_OBJECT } from '../../../common/openapi/envelope-schemas';
import { NOTIFICATION_EVENTS } from '../../events/notification-event';
import type { DeliveryAttemptEntity } from '../delivery-attempt.entity';
import { DELIVERY_FAILURES, type DeliveryFailure } from '../delivery-failure';
import { DELIVERY_STATES, type DeliveryEntity, type DeliveryState } from '../delivery.entity';

/** An attempt to deliver, and the receiver's response. */
export class DeliveryAttemptResponse {
  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  started_at!: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 120 })
  duration_ms!: number;

  /** HTTP status, if there was a response. */
  @ApiPropertyOptional({ type: 'integer', example: 200 })
  status?: number;

  /** Absent if it was delivered. */
  @ApiPropertyOptional(growing(DELIVERY_FAILURES))
  failure?: DeliveryFailure;

  /** The first 4 KiB of the response's body, as text; a note instead if the receiver is at a private address. */
  @ApiPropertyOptional({ example: 'thanks' })
  answer?: string;
}

/** One event on its way to one notification. */
export class DeliveryResponse {
  /** Also the `id` of the body and the header `webhook-id`, at each attempt. */
  @ApiProperty({ format: 'uuid', example: '0f4c2a9e-6f0f-4f43-9a3e-3d7a5b0d8c11' })
  id!: string;

  @ApiProperty(oneOfEnum('NotificationEvent', NOTIFICATION_EVENTS))
  event!: string;

  /**
   * `payload_type`, and what belongs to it. Of `relayer_nonce_repaired`: `relayer_id`, `address` (string), `chain_id` (integer), `kind`
   * (`raised`, `lowered`, `reassigned`, `adopted`, `gap_filled`, `resent`), `from` and `to` (integer or null), `nonces` (integers). Of `change_update`:
   * `change`, a `PendingChangeResponse`, whose `request` is empty if the change is larger than 16 KiB.
   */
  @ApiProperty({
    allOf: [JSON_OBJECT],
    example: {
      ...{ payload_type: 'relayer_nonce_repaired', relayer_id: 'payments', kind: 'reassigned' },
      ...{ address: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826', chain_id: 11155111 },
      ...{ from: 41, to: 42, nonces: [] },
    },
  })
  payload!: object;

  /** `dead` means abandoned, until it is replayed. */
  @ApiProperty(growing(DELIVERY_STATES))
  state!: DeliveryState;

  /** Attempts since it was created, or last replayed. */
  @ApiProperty({ type: 'integer', minimum: 0, example: 1 })
  attempt_count!: number;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  created_at!: string;

  /** For a pending delivery: when the next attempt is due, or when it is attempted again if the current attempt is lost. */
  @ApiPropertyOptional({ type: String, format: 'date-time', example: '2026-01-31T12:00:05.000Z' })
  next_attempt_at?: string;

  /** Of a pending one: its last attempt is due at this time or before. If that is late, it is still made once. */
  @ApiPropertyOptional({ type: String, format: 'date-time', example: '2026-02-01T12:00:00.000Z' })
  give_up_at?: string;

  /** When it was delivered or abandoned. */
  @ApiPropertyOptional({ type: String, format: 'date-time', example: '2026-01-31T12:00:00.120Z' })
  finished_at?: string;

  /** HTTP status of the last response. */
  @ApiPropertyOptional({ type: 'integer', example: 200 })
  last_status?: number;

  /** Why it is not delivered. */
  @ApiPropertyOptional(growing(DELIVERY_FAILURES))
  last_failure?: DeliveryFailure;

  /** The latest attempts, up to 100, in the order in which they were made. Only in the response with a single delivery. */
  @ApiPropertyOptional({ type: DeliveryAttemptResponse, isArray: true })
  attempts?: DeliveryAttemptResponse[];
}

export class ReplayedResponse {
  @ApiProperty({ type: 'integer', minimum: 0, example: 42 })
  replayed!: number;

  /** Whether there are more: repeat the request. */
  @ApiProperty({ example: false })
  more!: boolean;
}

export function toDeliveryResponse(delivery: DeliveryEntity): DeliveryResponse {
  const { nextAttemptAt, giveUpAt, finishedAt, lastStatus, lastFailure } = delivery;
  return {
    id: delivery.id,
    event: delivery.event,
    payload: delivery.payload,
    state: delivery.state,
    attempt_count: delivery.attempts,
    created_at: delivery.createdAt.toISOString(),
    ...(nextAttemptAt !== null && {
      next_attempt_at: nextAttemptAt.toISOString(),
      give_up_at: giveUpAt.toISOString(),
    }),
    ...(finishedAt !== null && { finished_at: finishedAt.toISOString() }),
    ...(lastStatus !== null && { last_status: lastStatus }),
    ...(lastFailure !== null && { last_failure: lastFailure }),
  };
}

export function toDeliveryDetailResponse(
  delivery: DeliveryEntity,
  attempts: DeliveryAttemptEntity[],
): DeliveryResponse {
  return Object.assign(toDeliveryResponse(delivery), { attempts: attempts.map(toDeliveryAttemptResponse) });
}

function toDeliveryAttemptResponse(attempt: DeliveryAttemptEntity): DeliveryAttemptResponse {
  const { startedAt, durationMs, status, failure, answer } = attempt;
  return {
    started_at: startedAt.toISOString(),
    duration_ms: durationMs,
    ...(status !== null && { status }),
    ...(failure !== null && { failure }),
    ...(answer !== null && { answer }),
  };
}
