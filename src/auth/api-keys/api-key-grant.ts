import { forbidden } from '../../common/errors/domain-error';
import { ALL_SCOPES } from '../../access/scopes';
import { isRangeWithin } from './allowed-addresses';
import type { ApiKeyEntity } from './api-key.entity';

/** The rights of a key; null means no restriction, except for the rate, to which the general limit applies. */
export type ApiKeyGrant = Pick<
  ApiKeyEntity,
  'scopes' | 'relayers' | 'groups' | 'expiresAt' | 'allowedIps' | 'rateLimit'
>;

export type RateLimit = NonNullable<ApiKeyGrant['rateLimit']>;

/**
 * Asserts that a key grants at most the rights of its creator. If the creator reaches a relayer through a group, it
 * cannot grant the relayer by id, because the relayer could leave the group.
 *
 * @param holder the grants of the creator; null for the root key, which may grant anything
 * @param general the rate limit of keys without one of their own
 * @throws DomainError `forbidden`, naming the rights that exceed those of the holder
 */
export function assertWithin(grant: ApiKeyGrant, holder: ApiKeyGrant | null, general: RateLimit): void {
  const excess = holder && excessOf(grant, holder, general);
  if (excess) throw forbidden(`a key cannot grant what it does not have: ${excess}`);
}

/**
 * Asserts that the key to change has no more rights than the caller's key. The error does not name the excess rights,
 * because that could reveal a relayer that the caller cannot reach.
 *
 * @param holder the grants of the caller; null for the root key, which may change any key
 * @param general as for {@link assertWithin}
 * @throws DomainError `forbidden`
 */
export function assertChanges(grant: ApiKeyGrant, holder: ApiKeyGrant | null, general: RateLimit): void {
  if (holder && excessOf(grant, holder, general))
    throw forbidden('a key changes no key that grants more than itself');
}

/** Describes what a grant has beyond another one; undefined if nothing. */
export function excessOf(grant: ApiKeyGrant, holder: ApiKeyGrant, general: RateLimit): string | undefined {
  return (
    excessOfScopes(grant, holder) ??
    excessOfReach(grant, holder) ??
    excessOfTime(grant, holder) ??
    excessOfAddresses(grant, holder) ??
    excessOfRate(grant, holder, general)
  );
}

function excessOfScopes({ scopes }: ApiKeyGrant, holder: ApiKeyGrant): string | undefined {
  if (holder.scopes.includes(ALL_SCOPES)) return undefined;
  const missing = scopes.find((scope) => !holder.scopes.includes(scope));
  return missing && `scope ${missing}`;
}

function excessOfReach(grant: ApiKeyGrant, holder: ApiKeyGrant): string | undefined {
  if (!holder.relayers && !holder.groups) return undefined;
  if (!grant.relayers && !grant.groups) return 'all relayers';
  const relayer = grant.relayers?.find((id) => !holder.relayers?.includes(id));
  const group = grant.groups?.find((name) => !holder.groups?.includes(name));
  if (relayer !== undefined) return `relayer ${relayer}`;
  return group === undefined ? undefined : `group ${group}`;
}

function excessOfTime({ expiresAt }: ApiKeyGrant, holder: ApiKeyGrant): string | undefined {
  if (!holder.expiresAt || (expiresAt && expiresAt <= holder.expiresAt)) return undefined;
  return `expires_at after ${holder.expiresAt.toISOString()}`;
}

function excessOfAddresses({ allowedIps }: ApiKeyGrant, holder: ApiKeyGrant): string | undefined {
  const outer = holder.allowedIps;
  if (!outer) return undefined;
  if (!allowedIps) return 'all of allowed_ips';
  const excess = allowedIps.find((range) => !outer.some((whole) => isRangeWithin(range, whole)));
  return excess && `allowed_ips ${excess}`;
}

function excessOfRate(
  { rateLimit }: ApiKeyGrant,
  holder: ApiKeyGrant,
  general: RateLimit,
): string | undefined {
  if (!rateLimit && !holder.rateLimit) return undefined;
  // A key with a limit of its own cannot grant the general one even if that is lower now, because it may be raised.
  const most = holder.rateLimit ?? general;
  const isWithin =
    rateLimit &&
    rateLimit.requestsPerSecond <= most.requestsPerSecond &&
    rateLimit.burstSize <= most.burstSize;
  return isWithin ? undefined : `rate_limit above ${most.requestsPerSecond} and ${most.burstSize}`;
}
