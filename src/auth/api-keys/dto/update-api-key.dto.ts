import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { GrantedScope } from '../../../access/scopes';
import { DATE_TIME_SCHEMA } from '../../../common/openapi/schemas';
import { IsDateTime } from '../../../common/validation/date-time.rule';
import { IsOptionalButNotNull, IsText, textSchema } from '../../../common/validation/fields';
import {
  ALLOWED_IPS_SCHEMA,
  ApiKeyRateLimitDto,
  IDS_SCHEMA,
  IsAddressList,
  IsIdList,
  IsRateLimit,
  IsScopeList,
  RATE_LIMIT_SCHEMA,
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
  @ApiPropertyOptional(IDS_SCHEMA)
  @IsOptional()
  @IsIdList()
  relayers?: string[] | null;

  /** Replaces the whole list. */
  @ApiPropertyOptional({ ...IDS_SCHEMA, example: ['checkout'] })
  @IsOptional()
  @IsIdList()
  groups?: string[] | null;

  @ApiPropertyOptional({ ...DATE_TIME_SCHEMA, nullable: true, example: '2027-01-31T12:00:00Z' })
  @IsOptional()
  @IsDateTime()
  expires_at?: string | null;

  /** Replaces the whole list. */
  @ApiPropertyOptional(ALLOWED_IPS_SCHEMA)
  @IsOptional()
  @IsAddressList()
  allowed_ips?: string[] | null;

  /** Null returns to the general limit. */
  @ApiPropertyOptional(RATE_LIMIT_SCHEMA)
  @IsOptional()
  @IsRateLimit()
  rate_limit?: ApiKeyRateLimitDto | null;
}
