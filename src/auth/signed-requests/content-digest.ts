import { createHash, timingSafeEqual } from 'node:crypto';
import { readDictionary } from './structured-fields';

/** Algorithms of RFC 9530, 5 that are active, with the length of their digests. */
const LENGTHS = { 'sha-256': 32, 'sha-512': 64 } as const;

type Algorithm = keyof typeof LENGTHS;

/** The digests that a request announces for its body. */
export type ContentDigest = readonly (readonly [Algorithm, Uint8Array])[];

/** Reads `Content-Digest` (RFC 9530, 2); undefined if no digest in it can be checked. */
export function readContentDigest(text: string): ContentDigest | undefined {
  const found: [Algorithm, Uint8Array][] = [];
  for (const [name, value] of readDictionary(text) ?? []) {
    if (!isAlgorithm(name)) continue;
    if (!(value instanceof Uint8Array) || value.length !== LENGTHS[name]) return undefined;
    found.push([name, value]);
  }
  return found.length > 0 ? found : undefined;
}

/** Whether a body has all of the digests. */
export function hasDigest(body: Uint8Array, digests: ContentDigest): boolean {
  return digests.every(([name, expected]) =>
    timingSafeEqual(createHash(name.replace('-', '')).update(body).digest(), expected),
  );
}

const isAlgorithm = (name: string): name is Algorithm => Object.hasOwn(LENGTHS, name);
