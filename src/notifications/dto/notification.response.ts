import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { NOTIFICATION_EVENTS, type NotificationEvent } from '../events/notification-event';
import { enumSchema, growing } from '../../common/openapi/schemas';
import { NOTIFICATION_TYPE_SCHEMA } from './create-notification.dto';
import type { NotificationEntity } from '../notification.entity';

const SWITCHED_OFF = 'The receiver failed for too long';

/** A webhook as shown to callers: whether it has a key, never the key itself. */
export class NotificationResponse {
  @ApiProperty({ pattern: '^[A-Za-z0-9_-]{1,36}$', example: 'ops-webhook' })
  id!: string;

  @ApiProperty(NOTIFICATION_TYPE_SCHEMA)
  type!: 'webhook';

  /**
   * Where its events are posted. To an API key that is limited to some relayers, path and query are masked
   * (`https://host/***`) unless relayers use the notification, the key reaches all of them, and `events` has none that only
   * unlimited keys may name. The response to a request that sets the URL has all of it.
   */
  @ApiProperty({ example: 'https://hooks.example.com/relayer' })
  url!: string;

  @ApiProperty({ example: true })
  has_signing_key!: boolean;

  /** The events that it receives; absent if it receives all but `signature_created`, `signer_deleted`, `change_update` and those of plugins. */
  @ApiPropertyOptional({ type: 'array', items: enumSchema('NotificationEvent', NOTIFICATION_EVENTS) })
  events?: NotificationEvent[];

  /** Why it is not called any more; any change of it has it called again. */
  @ApiPropertyOptional(growing([SWITCHED_OFF]))
  disabled_reason?: string;
}

/** @param url the decrypted URL to which its events are sent */
export function toNotificationResponse(notification: NotificationEntity, url: string): NotificationResponse {
  return {
    id: notification.id,
    type: notification.type,
    url,
    has_signing_key: notification.signingKey !== null,
    ...(notification.events !== null && { events: notification.events }),
    ...(notification.switchedOffAt !== null && { disabled_reason: SWITCHED_OFF }),
  };
}
