import { hash } from 'node:crypto';
import { canonicalJson } from '../secrets/canonical-json';

/** SHA-256 in hex of the state for which a change was requested. It must be the same when the change is applied. */
export const fingerprintOf = (state: unknown): string => hash('sha256', canonicalJson(state));
