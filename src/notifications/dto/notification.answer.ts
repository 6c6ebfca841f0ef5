import { ApiProperty } from '@nestjs/swagger';
import type { NotificationEntity } from '../notification.entity';

/** A webhook as it may be shown: whether it has a key, never the key. */
export class NotificationAnswer {
  @ApiProperty({ pattern: '^[A-Za-z0-9_-]{1,36}$', example: 'ops-webhook' })
  id!: string;

  @ApiProperty({ type: String, enum: ['webhook'] })
  type!: 'webhook';

  @ApiProperty({ example: 'https://hooks.example.com/relayer' })
  url!: string;

  @ApiProperty({ example: true })
  has_signing_key!: boolean;
}

export function toNotificationAnswer(notification: NotificationEntity): NotificationAnswer {
  return {
    id: notification.id,
    type: notification.type,
    url: notification.url,
    has_signing_key: notification.signingKey !== null,
  };
}
