import type { Authentication, OutgoingRequest } from './authentication.ts';
import { fromBase64, toBase64, utf8 } from './bytes.ts';

/** A WebCrypto private key: the `CryptoKey` of browsers and Node. */
export type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const PEM = /^\s*-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/;
const ED25519 = { name: 'Ed25519' };
const P256 = { name: 'ECDSA', namedCurve: 'P-256' };

/**
 * Authentication with signatures (RFC 9421) instead of a secret. Each request has a nonce of its own, so it can be
 * retried.
 *
 * @param keyId the id of an API key with the corresponding public key
 * @param privateKey Ed25519 or ECDSA P-256, usable for `sign`
 */
export function signedRequests(keyId: string, privateKey: PrivateKey): Authentication {
  return { headers: (request) => signatureHeaders(request, keyId, privateKey) };
}

/**
 * Imports an Ed25519 or P-256 private key: PKCS #8 in PEM, as written by `openssl genpkey`. The key cannot be exported
 * again.
 *
 * @throws TypeError for anything else
 */
export async function importPrivateKey(pem: string): Promise<PrivateKey> {
  const bytes = fromBase64(PEM.exec(pem)?.[1]?.replace(/\s/g, '') ?? '');
  for (const algorithm of [ED25519, P256]) {
    try {
      if (bytes?.length) return await crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
    } catch {
      // The key does not belong to this algorithm.
    }
  }
  throw new TypeError('A private key must be Ed25519 or P-256, PKCS #8 as PEM');
}

/** The headers of RFC 9421, covering method, URL, body and idempotency key. */
async function signatureHeaders(
  { method, url, body, idempotencyKey }: OutgoingRequest,
  keyId: string,
  privateKey: PrivateKey,
): Promise<Record<string, string>> {
  const digest = body === undefined ? undefined : await contentDigest(body);
  const components: [string, string][] = [
    ['@method', method],
    ['@target-uri', url],
  ];
  if (digest !== undefined) components.push(['content-digest', digest]);
  if (idempotencyKey !== undefined) components.push(['idempotency-key', idempotencyKey]);
  const names = components.map(([name]) => `"${name}"`).join(' ');
  const created = Math.floor(Date.now() / 1000);
  const parameters = `(${names});created=${created};nonce="${crypto.randomUUID()}";keyid="${keyId}"`;
  const base = [...components, ['@signature-params', parameters]]
    .map(([name = '', value = '']) => `"${name}": ${value}`)
    .join('\n');
  const algorithm = privateKey.algorithm.name === 'ECDSA' ? { name: 'ECDSA', hash: 'SHA-256' } : ED25519;
  const signature = await crypto.subtle.sign(algorithm, privateKey, utf8(base));
  return {
    'signature-input': `sig=${parameters}`,
    signature: `sig=:${toBase64(new Uint8Array(signature))}:`,
    ...(digest !== undefined && { 'content-digest': digest }),
  };
}

/** The value of `Content-Digest` (RFC 9530). */
async function contentDigest(body: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', utf8(body));
  return `sha-256=:${toBase64(new Uint8Array(hash))}:`;
}
