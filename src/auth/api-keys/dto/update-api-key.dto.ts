import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { GrantedScope } from '../../../access/scopes';
import { IsOptionalButNotNull, IsText, textSchema } from '../../../common/validation/fields';
import {
  AllowedIps,
  type ApiKeyRateLimitDto,
  Expiry,
  Ids,
  IsScopeList,
  RateLimit,
  SCOPES_SCHEMA,
} from './api-key-fields';

/** A JSON merge patch (RFC 7396) of a key: absent members do not change, and a null removes the restriction. */
export class UpdateApiKeyDto {
  /** Null does not change the name. */
  @ApiPropertyOptional({ ...textSchema(1, 255), nullable: true, example: 'Checkout' })
  @IsOptional()
  @IsText(1, 255)
  name?: string | null;

  /** Replaces the whole list. */
  @ApiPropertyOptional(SCOPES_SCHEMA)
  @IsOptionalButNotNull()
  @IsScopeList()
  scopes?: GrantedScope[];

  /** Replaces the whole list. With neither `relayers` nor `groups` the key reaches all relayers. */
  @Ids('treasury')
  relayers?: string[] | null;

  /** Replaces the whole list. */
  @Ids('checkout')
  groups?: string[] | null;

  @Expiry()
  expires_at?: string | null;

  /** Replaces the whole list. */
  @AllowedIps()
  allowed_ips?: string[] | null;

  /** Null returns to the general limit. */
  @RateLimit()
  rate_limit?: ApiKeyRateLimitDto | null;
}
