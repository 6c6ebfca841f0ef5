import type { NotificationEvent } from '../events/notification-event';
import { EVENT_LIST_SCHEMA, IsEventList } from './event-list.rule';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import { HTTP_URL_SCHEMA, IsHttpUrl } from '../../common/validation/http-url';
import { NOTIFICATION_TYPE_SCHEMA, NOTIFICATION_TYPES } from './create-notification.dto';
import { IsSigningKey, MAX_SIGNING_KEY_LENGTH, MIN_SIGNING_KEY_LENGTH } from './signing-key.rule';

/** The empty string or a key that is valid for a new notification. */
const NEW_KEY_PATTERN = `^([^\\u0000-\\u001f\\u007f-\\u009f]{${MIN_SIGNING_KEY_LENGTH},})?$`;

/** Changes to a webhook; absent or null members do not change. */
export class UpdateNotificationDto {
  @ApiPropertyOptional({ ...NOTIFICATION_TYPE_SCHEMA, nullable: true })
  @IsOptional()
  @IsIn(NOTIFICATION_TYPES, { message: '$property must be webhook' })
  type?: 'webhook' | null;

  @ApiPropertyOptional({
    ...HTTP_URL_SCHEMA,
    nullable: true,
    example: 'https://hooks.example.com/relayer',
  })
  @IsOptional()
  @IsHttpUrl({ userInfo: false })
  url?: string | null;

  /** Replaces the whole list; null returns to all but `signature_created`, `signer_deleted`, `change_update` and those of plugins. */
  @ApiPropertyOptional(EVENT_LIST_SCHEMA)
  @IsOptional()
  @IsEventList()
  events?: NotificationEvent[] | null;

  /** `""` removes the key; at least 32 bytes, or `whsec_` and the base64 of 24 to 64, set it. */
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: MAX_SIGNING_KEY_LENGTH,
    pattern: NEW_KEY_PATTERN,
    writeOnly: true,
    example: 'a signing key of at least 32 bytes',
  })
  @ValidateIf((_dto, value) => value !== undefined && value !== null && value !== '')
  @IsSigningKey()
  signing_key?: string | null;
}
