import type { NotificationEvent } from '../events/notification-event';
import { EVENT_LIST_SCHEMA, IsEventList } from './event-list.rule';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { TEXT_PATTERN } from '../../common/validation/fields';
import { HTTP_URL_SCHEMA, IsHttpUrl } from '../../common/validation/http-url';
import { OptionalIdentifier } from '../../common/validation/members';
import { IsSigningKey, MAX_SIGNING_KEY_LENGTH, MIN_SIGNING_KEY_LENGTH } from './signing-key.rule';

export const NOTIFICATION_TYPES = ['webhook'] as const;

/** The OpenAPI schema of the type of a notification. */
export const NOTIFICATION_TYPE_SCHEMA = {
  type: String,
  pattern: `^(${NOTIFICATION_TYPES.join('|')})$`,
  example: 'webhook',
} as const;

/** A webhook to create. */
export class CreateNotificationDto {
  /** A UUID v4 if omitted. */
  @OptionalIdentifier('ops-webhook')
  id?: string | null;

  @ApiPropertyOptional({ ...NOTIFICATION_TYPE_SCHEMA, nullable: true, default: 'webhook' })
  @IsOptional()
  @IsIn(NOTIFICATION_TYPES, { message: '$property must be webhook' })
  type?: 'webhook' | null;

  /** Where events are posted; http or https. */
  @ApiProperty({ ...HTTP_URL_SCHEMA, example: 'https://hooks.example.com/relayer' })
  @IsHttpUrl({ userInfo: false })
  url!: string;

  /** The events that it receives; by default all but `signature_created`, `signer_deleted`, `change_update` and those of plugins. */
  @ApiPropertyOptional(EVENT_LIST_SCHEMA)
  @IsOptional()
  @IsEventList()
  events?: NotificationEvent[] | null;

  /** Signs the events: at least 32 bytes of UTF-8, or `whsec_` and the base64 of 24 to 64. Responses never contain it. */
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: MIN_SIGNING_KEY_LENGTH,
    pattern: TEXT_PATTERN,
    maxLength: MAX_SIGNING_KEY_LENGTH,
    writeOnly: true,
    example: 'a signing key of at least 32 bytes',
  })
  @IsOptional()
  @IsSigningKey()
  signing_key?: string | null;
}
