import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { GrantedScope } from '../../../access/scopes';
import { IsDateTime } from '../../../common/validation/date-time.rule';
import { DATE_TIME_SCHEMA, JSON_OBJECT, orNull } from '../../../common/openapi/schemas';
import { IsText, textSchema } from '../../../common/validation/fields';
import {
  ALLOWED_IPS_SCHEMA,
  ApiKeyRateLimitDto,
  IDS_SCHEMA,
  IsAddressList,
  IsIdList,
  IsPublicKey,
  IsRateLimit,
  IsScopeList,
  RATE_LIMIT_SCHEMA,
  SCOPES_SCHEMA,
} from './api-key-fields';

/** A new key. What is absent or null is no restriction. */
export class CreateApiKeyDto {
  @ApiProperty({ ...textSchema(1, 255), example: 'Checkout' })
  @IsText(1, 255)
  name!: string;

  /** `*` is all of them. */
  @ApiProperty(SCOPES_SCHEMA)
  @IsScopeList()
  scopes!: GrantedScope[];

  /** Ids of the relayers that the key reaches, beside those of `groups`; all relayers where it has neither. */
  @ApiPropertyOptional(IDS_SCHEMA)
  @IsOptional()
  @IsIdList()
  relayers?: string[] | null;

  /** Groups whose relayers the key reaches. */
  @ApiPropertyOptional({ ...IDS_SCHEMA, example: ['checkout'] })
  @IsOptional()
  @IsIdList()
  groups?: string[] | null;

  /** When the key stops working (RFC 3339). */
  @ApiPropertyOptional({ ...DATE_TIME_SCHEMA, nullable: true, example: '2027-01-31T12:00:00Z' })
  @IsOptional()
  @IsDateTime()
  expires_at?: string | null;

  /** Addresses and CIDR ranges of the clients that may use the key. */
  @ApiPropertyOptional(ALLOWED_IPS_SCHEMA)
  @IsOptional()
  @IsAddressList()
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
  @ApiPropertyOptional(RATE_LIMIT_SCHEMA)
  @IsOptional()
  @IsRateLimit()
  rate_limit?: ApiKeyRateLimitDto | null;
}
