import { timingSafeEqual } from 'node:crypto';
import { currentRequest, type RequestContext } from '../../common/http/request-context';
import { Secret } from '../../common/secrets/secret';
import { isAddressAllowed } from './allowed-addresses';
import type { ApiKeyEntity } from './api-key.entity';

declare module '../../common/http/request-context' {
  interface RequestContext {
    /** The hash of the secret that the request sent, once it was found to be right; undefined for signed requests. */
    provenHash?: Secret;
  }
}

/** Used in place of a missing hash, so that the comparison takes as long. No key has this hash. */
const NO_HASH = '0'.repeat(64);

/** Keeps the hash with which the current request proved possession of its key, for {@link isStillProven}. */
export function keepProof(hash: string): void {
  const request = currentRequest();
  if (request) request.provenHash = new Secret(hash);
}

/**
 * Whether a request may go on with its own key: its secret is still valid, and the key may still be used from its
 * address. The public key of signed requests never changes.
 */
export function isStillProven(
  key: Readonly<ApiKeyEntity>,
  { provenHash, clientAddress }: RequestContext,
): boolean {
  if (key.allowedIps && !isAddressAllowed(key.allowedIps, clientAddress)) return false;
  return key.publicKey !== null || (provenHash !== undefined && hasHash(key, provenHash.reveal()));
}

/**
 * Whether a secret is the current one, or the previous one within its overlap. Always compares both hashes, so that the
 * timing does not reveal which one matches.
 *
 * @param hash of the secret
 */
export function hasHash(key: Readonly<ApiKeyEntity> | undefined, hash: string): boolean {
  const overlaps = key?.previousValidUntil ? key.previousValidUntil.getTime() > Date.now() : false;
  const isPrevious = isSame(hash, key?.previousSecretHash) && overlaps;
  return isSame(hash, key?.secretHash) || isPrevious;
}

function isSame(hash: string, stored: string | null | undefined): boolean {
  const isEqual = timingSafeEqual(Buffer.from(hash), Buffer.from(stored ?? NO_HASH));
  return isEqual && typeof stored === 'string';
}
