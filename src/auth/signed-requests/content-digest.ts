import { createHash, timingSafeEqual } from 'node:crypto';
import { readDictionary } from './structured-fields';

/** The active algorithms of RFC 9530, 5, with the lengths of their digests. */
const LENGTHS = { 'sha-256': 32, 'sha-512': 64 } as const;

type Algorithm = keyof typeof LENGTHS;

/** The digests of the body that a request declares. */
export type ContentDigest = readonly (readonly [Algorithm, Uint8Array])[];

/**
 * Parses `Content-Digest` (RFC 9530, 2); undefined if it contains no digest of a known algorithm, or a malformed one.
 */
export function readContentDigest(text: string): ContentDigest | undefined {
  const found: [Algorithm, Uint8Array][] = [];
  for (const [name, value] of readDictionary(text) ?? []) {
    if (!isAlgorithm(name)) continue;
    if (!(value instanceof Uint8Array) || value.length !== LENGTHS[name]) return undefined;
    found.push([name, value]);
  }
  return found.length > 0 ? found : undefined;
}

/** Whether a body matches all of the digests. */
export function hasDigest(body: Uint8Array, digests: ContentDigest): boolean {
  return digests.every(([name, expected]) =>
    timingSafeEqual(createHash(name.replace('-', '')).update(body).digest(), expected),
  );
}

const isAlgorithm = (name: string): name is Algorithm => Object.hasOwn(LENGTHS, name);
