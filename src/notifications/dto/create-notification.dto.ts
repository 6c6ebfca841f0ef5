import type { NotificationEvent } from '../events/notification-event';
import { EVENT_LIST_SCHEMA, IsEventList } from './event-list.rule';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Validate } from 'class-validator';
import { IsIdentifier } from '../../common/validation/fields';
import { IsHttpUrl, MAX_URL_LENGTH } from '../../common/validation/http-url';
import { MIN_SIGNING_KEY_BYTES } from '../signing-key';
import { MAX_SIGNING_KEY_LENGTH, SigningKeyRule } from './signing-key.rule';

export const NOTIFICATION_TYPES = ['webhook'] as const;

/** A webhook to make. */
export class CreateNotificationDto {
  /** A UUID v4 where it is left out. */
  @ApiPropertyOptional({ pattern: '^[A-Za-z0-9_-]{1,36}$', example: 'ops-webhook' })
  @IsOptional()
  @IsIdentifier()
  id?: string | null;

  @ApiPropertyOptional({ enum: NOTIFICATION_TYPES, default: 'webhook' })
  @IsOptional()
  @IsIn(NOTIFICATION_TYPES, { message: '$property must be webhook' })
  type?: 'webhook' | null;

  /** Where events are posted; http or https. */
  @ApiProperty({ format: 'uri', maxLength: MAX_URL_LENGTH, example: 'https://hooks.example.com/relayer' })
  @IsHttpUrl({ userInfo: false })
  url!: string;

  /** What it wants to hear of; all but `signature_created` and `signer_deleted` where it is left out. */
  @ApiPropertyOptional(EVENT_LIST_SCHEMA)
  @IsOptional()
  @IsEventList()
  events?: NotificationEvent[] | null;

  /** Signs the events: at least 32 bytes, or `whsec_` and the base64 of 24 to 64. Responses never contain it. */
  @ApiPropertyOptional({
    minLength: MIN_SIGNING_KEY_BYTES,
    maxLength: MAX_SIGNING_KEY_LENGTH,
    writeOnly: true,
    example: 'a signing key of at least 32 bytes',
  })
  @IsOptional()
  @Validate(SigningKeyRule)
  signing_key?: string | null;
}
