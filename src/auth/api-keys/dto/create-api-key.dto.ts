import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { GrantedScope } from '../../../access/scopes';
import { orNull } from '../../../common/openapi/schemas';
import { JSON_OBJECT } from '../../../common/openapi/envelope-schemas';
import { IsText, textSchema } from '../../../common/validation/fields';
import {
  AllowedIps,
  type ApiKeyRateLimitDto,
  Expiry,
  Ids,
  IsPublicKey,
  IsScopeList,
  RateLimit,
  SCOPES_SCHEMA,
} from './api-key-fields';

/** A new key. An absent or null member does not restrict it. */
export class CreateApiKeyDto {
  @ApiProperty({ ...textSchema(1, 255), example: 'Checkout' })
  @IsText(1, 255)
  name!: string;

  /** `*` is all of them. */
  @ApiProperty(SCOPES_SCHEMA)
  @IsScopeList()
  scopes!: GrantedScope[];

  /** Ids of the relayers that the key reaches, in addition to those of `groups`; all relayers if it has neither. */
  @Ids('treasury')
  relayers?: string[] | null;

  /** Groups whose relayers the key reaches. */
  @Ids('checkout')
  groups?: string[] | null;

  /** When the key stops working (RFC 3339). */
  @Expiry()
  expires_at?: string | null;

  /** Addresses and CIDR ranges of the clients that may use the key. */
  @AllowedIps()
  allowed_ips?: string[] | null;

  /** Requests are signed by this key instead of carrying a secret: Ed25519 or P-256, as PEM or JWK. */
  @ApiPropertyOptional({
    ...orNull({ type: 'string', maxLength: 1100 }, JSON_OBJECT),
    example: null,
  })
  @IsOptional()
  @IsPublicKey()
  public_key?: string | object | null;

  /** Replaces the general limit. */
  @RateLimit()
  rate_limit?: ApiKeyRateLimitDto | null;
}
