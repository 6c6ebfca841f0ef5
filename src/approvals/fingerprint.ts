import { createHash } from 'node:crypto';
import { canonicalJson } from '../secrets/canonical-json';

/** SHA-256 in hex of the state for which a change was requested. It must be the same when the change is applied. */
export const fingerprintOf = (state: unknown): string =>
  createHash('sha256').update(canonicalJson(state)).digest('hex');
