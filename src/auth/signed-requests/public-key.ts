import { createPublicKey, type KeyObject } from 'node:crypto';
import { isSafePoint } from './ed25519-point';

const PEM = /^\s*-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]{1,1000}-----END PUBLIC KEY-----\s*$/;
const MAX_MEMBER_LENGTH = 100;

/** The algorithms of RFC 9421, 3.3, by key type. */
type SignatureAlgorithm = 'ed25519' | 'ecdsa-p256-sha256';

/** The algorithm of a key; undefined for key types that are not supported. */
export function algorithmOf(key: KeyObject): SignatureAlgorithm | undefined {
  if (key.asymmetricKeyType === 'ed25519') return 'ed25519';
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return isP256 ? 'ecdsa-p256-sha256' : undefined;
}

/**
 * Parses an Ed25519 or P-256 public key: SPKI in PEM (RFC 7468, 13) or a JWK (RFC 7517, RFC 8037).
 *
 * @returns SPKI in PEM; undefined for anything else, including private keys, which nobody should send, and Ed25519 keys
 * whose signatures anyone could compute
 */
export function readPublicKey(value: unknown): string | undefined {
  try {
    const key = typeof value === 'string' ? fromPem(value) : fromJwk(value);
    return key && isUsable(key) ? key.export({ type: 'spki', format: 'pem' }).toString() : undefined;
  } catch {
    return undefined;
  }
}

function isUsable(key: KeyObject): boolean {
  const algorithm = algorithmOf(key);
  if (algorithm !== 'ed25519') return algorithm !== undefined;
  return isSafePoint(Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url'));
}

const fromPem = (text: string): KeyObject | undefined => (PEM.test(text) ? createPublicKey(text) : undefined);

function fromJwk(value: unknown): KeyObject | undefined {
  if (typeof value !== 'object' || value === null || 'd' in value) return undefined;
  const { kty, crv, x, y } = value as Record<string, unknown>;
  const members = Object.entries({ kty, crv, x, y }).filter(([, member]) => member !== undefined);
  const isShort = ([, member]: [string, unknown]): boolean =>
    typeof member === 'string' && member.length <= MAX_MEMBER_LENGTH;
  if (!members.every(isShort)) return undefined;
  return createPublicKey({ key: Object.fromEntries(members) as Record<string, string>, format: 'jwk' });
}
