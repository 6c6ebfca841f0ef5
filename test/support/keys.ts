import { createHash } from 'node:crypto';

/**
 * A storage key that looks random but is the same in each run: production refuses keys such as `Buffer.alloc(32, 1)`.
 */
export const storageKey = (number: number): string =>
  createHash('sha256').update(`storage key ${number}`).digest('base64');

/** An API key of 64 hex digits that looks random but is the same in each run. */
export const apiKey = (name: string): string => createHash('sha256').update(`API key ${name}`).digest('hex');
