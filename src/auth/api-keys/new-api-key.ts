import type { Secret } from '../../common/secrets/secret';
import { readPublicKey } from '../signed-requests/public-key';
import { expiryInThePast } from './api-key.errors';
import type { ApiKeyEntity } from './api-key.entity';
import { hashOfApiKey, newApiKeyId, newApiKeyText } from './api-key-text';
import type { CreateApiKeyDto } from './dto/create-api-key.dto';
import type { ApiKeyRateLimitDto } from './dto/api-key-fields';

/** A key to store, and its text, which is not stored. */
export interface NewApiKey {
  row: Omit<ApiKeyEntity, 'mac'>;
  /** Absent if the key signs its requests. */
  text: Secret | undefined;
}

/**
 * @param createdBy the id of a principal
 * @throws DomainError `invalid_request` if the expiry is in the past
 */
export function newApiKey(dto: CreateApiKeyDto, createdBy: string): NewApiKey {
  const id = newApiKeyId();
  const publicKey = readPublicKey(dto.public_key) ?? null;
  const text = publicKey === null ? newApiKeyText(id) : undefined;
  const row = {
    id,
    name: dto.name,
    secretHash: text ? hashOfApiKey(text.reveal()) : null,
    previousSecretHash: null,
    previousValidUntil: null,
    publicKey,
    scopes: dto.scopes,
    relayers: dto.relayers ?? null,
    groups: dto.groups ?? null,
    allowedIps: dto.allowed_ips ?? null,
    rateLimit: toRateLimit(dto.rate_limit ?? null),
    expiresAt: toExpiry(dto.expires_at ?? null),
    createdBy,
    lastUsedAt: null,
    revokedAt: null,
    revision: null,
    createdAt: new Date(),
  };
  return { row, text };
}

/** @throws DomainError `invalid_request` for a time in the past */
export function toExpiry(time: string | null): Date | null {
  const expiresAt = time === null ? null : new Date(time);
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw expiryInThePast();
  return expiresAt;
}

export const toRateLimit = (limit: ApiKeyRateLimitDto | null): ApiKeyEntity['rateLimit'] =>
  limit && { requestsPerSecond: limit.requests_per_second, burstSize: limit.burst };
