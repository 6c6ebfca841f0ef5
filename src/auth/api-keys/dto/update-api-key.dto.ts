import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { GrantedScope } from '../../../access/scopes';
import { IsDateTime } from '../../../common/validation/date-time.rule';
import { IsOptionalButNotNull, IsText } from '../../../common/validation/fields';
import {
  ALLOWED_IPS_SCHEMA,
  ApiKeyRateLimitDto,
  IDS_SCHEMA,
  IsAddressList,
  IsIdList,
  IsRateLimit,
  IsScopeList,
  SCOPES_SCHEMA,
} from './api-key-fields';

/** A JSON merge patch (RFC 7396) of a key: absent members do not change, and a null removes the restriction. */
export class UpdateApiKeyDto {
  /** Null does not change the name. */
  @ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: 255, example: 'Checkout' })
  @IsOptional()
  @IsText(1, 255)
  name?: string | null;

  /** Replaces the whole list. */
  @ApiPropertyOptional(SCOPES_SCHEMA)
  @IsOptionalButNotNull()
  @IsScopeList()
  scopes?: GrantedScope[];

  /** Replaces the whole list. With neither `relayers` nor `groups` the key reaches all relayers. */
  @ApiPropertyOptional(IDS_SCHEMA)
  @IsOptional()
  @IsIdList()
  relayers?: string[] | null;

  /** Replaces the whole list. */
  @ApiPropertyOptional({ ...IDS_SCHEMA, example: ['checkout'] })
  @IsOptional()
  @IsIdList()
  groups?: string[] | null;

  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true, example: '2027-01-31T12:00:00Z' })
  @IsOptional()
  @IsDateTime()
  expires_at?: string | null;

  /** Replaces the whole list. */
  @ApiPropertyOptional(ALLOWED_IPS_SCHEMA)
  @IsOptional()
  @IsAddressList()
  allowed_ips?: string[] | null;

  /** Null returns to the general limit. */
  @ApiPropertyOptional({ type: ApiKeyRateLimitDto, nullable: true })
  @IsOptional()
  @IsRateLimit()
  rate_limit?: ApiKeyRateLimitDto | null;
}
