import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { currentReach } from '../../../access/relayer-reach';
import type { GrantedScope } from '../../../access/scopes';
import type { ApiKeyEntity } from '../api-key.entity';
import { ALLOWED_IPS_SCHEMA, ApiKeyRateLimitDto, IDS_SCHEMA, SCOPES_SCHEMA } from './api-key-fields';

const TIME = { type: String, format: 'date-time', example: '2027-01-31T12:00:00.000Z' };

/** A key as shown to the current caller: what it allows, never a hash of its secret. */
export class ApiKeyResponse {
  @ApiProperty({ example: '7mxk2p9c4hfw' })
  id!: string;

  @ApiProperty({ example: 'Checkout' })
  name!: string;

  @ApiProperty(SCOPES_SCHEMA)
  scopes!: GrantedScope[];

  /**
   * The relayers that it reaches, in addition to those of `groups`; all relayers if it has neither. A key that is limited to some relayers sees only those that it names itself, possibly none.
   */
  @ApiPropertyOptional({ ...IDS_SCHEMA, nullable: false, minItems: 0 })
  relayers?: string[];

  /** Shown as `relayers`. */
  @ApiPropertyOptional({ ...IDS_SCHEMA, nullable: false, minItems: 0, example: ['checkout'] })
  groups?: string[];

  @ApiPropertyOptional(TIME)
  expires_at?: string;

  @ApiPropertyOptional({ ...ALLOWED_IPS_SCHEMA, nullable: false })
  allowed_ips?: string[];

  @ApiPropertyOptional({ type: ApiKeyRateLimitDto })
  rate_limit?: ApiKeyRateLimitDto;

  /** The public key of signed requests: SPKI as PEM. */
  @ApiPropertyOptional({
    example: '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA…\n-----END PUBLIC KEY-----\n',
  })
  public_key?: string;

  /** Until when the secret before the last rotation works. */
  @ApiPropertyOptional(TIME)
  previous_valid_until?: string;

  @ApiProperty(TIME)
  created_at!: string;

  /** The id of the key that created it, `root` or `shell`. */
  @ApiProperty({ example: 'root' })
  created_by!: string;

  /** To the minute; absent if it was never used. */
  @ApiPropertyOptional(TIME)
  last_used_at?: string;

  /** `rk_<id>_<secret>`, for `Authorization: Bearer`. Only the response that creates or rotates the key has it. */
  @ApiPropertyOptional({ pattern: '^rk_[0-9a-z]{12}_[0-9A-Za-z]{49}$' })
  key?: string;
}

export function toApiKeyResponse(key: Readonly<ApiKeyEntity>): ApiKeyResponse {
  const { relayers, groups, expiresAt, allowedIps, rateLimit, publicKey, previousValidUntil, lastUsedAt } =
    key;
  const reach = currentReach();
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    ...(relayers && { relayers: withinReach(relayers, reach?.relayers) }),
    ...(groups && { groups: withinReach(groups, reach?.groups) }),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
    ...(allowedIps && { allowed_ips: allowedIps }),
    ...(rateLimit && {
      rate_limit: { requests_per_second: rateLimit.requestsPerSecond, burst: rateLimit.burstSize },
    }),
    ...(publicKey !== null && { public_key: publicKey }),
    ...(previousValidUntil && { previous_valid_until: previousValidUntil.toISOString() }),
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    ...(lastUsedAt && { last_used_at: lastUsedAt.toISOString() }),
  };
}

const withinReach = (names: string[], reach: ReadonlySet<string> | undefined): string[] =>
  reach ? names.filter((name) => reach.has(name)) : names;
