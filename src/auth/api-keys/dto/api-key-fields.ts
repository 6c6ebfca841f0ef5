import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsObject, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { ALL_SCOPES, grantableScopes, SCOPES } from '../../../access/scopes';
import { IDENTIFIER } from '../../../common/validation/fields';
import { DATE_TIME_SCHEMA, orNull } from '../../../common/openapi/schemas';
import { IsDateTime } from '../../../common/validation/date-time.rule';
import { IsListOf } from '../../../common/validation/list.rule';
import { validationRule } from '../../../common/validation/validation-rule';
import { readPublicKey } from '../../signed-requests/public-key';
import { parseAllowedRange } from '../allowed-addresses';

/** Entries of `relayers` and of `groups` of an API key. @limit Stored objects */
const MAX_REACH = 100;
/** Entries of `allowed_ips` of an API key. @limit Stored objects */
const MAX_ALLOWED_IPS = 50;
const MAX_ADDRESS_LENGTH = 64;
const MAX_RATE = 1_000_000;

/** How many requests a key may send, in place of the general limit. */
export class ApiKeyRateLimitDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_RATE, example: 20 })
  @Max(MAX_RATE)
  @Min(1)
  @IsInt()
  requests_per_second!: number;

  /** Requests that may be sent at once. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_RATE, example: 40 })
  @Max(MAX_RATE)
  @Min(1)
  @IsInt()
  burst!: number;
}

export const SCOPES_SCHEMA: ApiPropertyOptions = {
  type: 'array',
  items: { title: 'Scope', type: 'string', enum: [...SCOPES, ALL_SCOPES] },
  minItems: 1,
  uniqueItems: true,
  example: ['relayers:read', 'sign:typed-data'],
};

export const IDS_SCHEMA: ApiPropertyOptions = {
  type: 'array',
  items: { type: 'string', pattern: IDENTIFIER.source },
  minItems: 1,
  maxItems: MAX_REACH,
  uniqueItems: true,
  nullable: true,
  example: ['treasury'],
};

export const ALLOWED_IPS_SCHEMA: ApiPropertyOptions = {
  type: 'array',
  items: { type: 'string', maxLength: MAX_ADDRESS_LENGTH },
  minItems: 1,
  maxItems: MAX_ALLOWED_IPS,
  uniqueItems: true,
  nullable: true,
  example: ['10.20.0.0/16', '2001:db8::/48'],
};

/** Distinct scopes. */
export const IsScopeList = (): PropertyDecorator =>
  IsListOf(() => {
    const scopes: readonly unknown[] = grantableScopes();
    return {
      max: scopes.length,
      isItem: (value) => scopes.includes(value),
      item: `one of ${scopes.join(', ')}`,
    };
  });

/** Distinct ids of relayers or groups; null means no restriction. */
export const Ids = (example: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ ...IDS_SCHEMA, example: [example] }),
    IsOptional(),
    IsListOf({
      max: MAX_REACH,
      isItem: (value) => typeof value === 'string' && IDENTIFIER.test(value),
      item: '1 to 36 letters, digits, dashes or underscores',
    }),
  );

/** When a key expires (RFC 3339); null means never. */
export const Expiry = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ ...DATE_TIME_SCHEMA, nullable: true, example: '2027-01-31T12:00:00Z' }),
    IsOptional(),
    IsDateTime(),
  );

/** Distinct addresses and CIDR ranges; null means no restriction. */
export const AllowedIps = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional(ALLOWED_IPS_SCHEMA),
    IsOptional(),
    IsListOf({
      max: MAX_ALLOWED_IPS,
      isItem: (value) =>
        typeof value === 'string' &&
        value.length <= MAX_ADDRESS_LENGTH &&
        parseAllowedRange(value) !== undefined,
      item: 'an IP address or a CIDR range, such as 10.20.0.0/16 or 2001:db8::/48',
    }),
  );

/** An Ed25519 or P-256 public key, as PEM or JWK. */
export const IsPublicKey = (): PropertyDecorator =>
  validationRule(
    'isPublicKey',
    (value) => readPublicKey(value) !== undefined,
    '$property must be an Ed25519 or P-256 public key, as PEM (SPKI) or JWK',
  );

/** A limit that replaces the general one; null means that the general one applies. */
export const RateLimit = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional(orNull({ $ref: getSchemaPath(ApiKeyRateLimitDto) })),
    IsOptional(),
    Type(() => ApiKeyRateLimitDto),
    ValidateNested(),
    IsObject(),
  );
