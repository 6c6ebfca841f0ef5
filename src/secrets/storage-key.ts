import { createHmac } from 'node:crypto';
import type { Secret } from '../common/secrets/secret';

const KEY_BYTES = 32;

/** The length of {@link StorageKey.version}. */
export const KEY_VERSION_LENGTH = 12;

/** One of the keys that protect stored data. */
export interface StorageKey {
  readonly bytes: Buffer;
  /** A fingerprint by which records identify their key. It reveals nothing about the key. */
  readonly version: string;
}

/**
 * @param texts each 32 bytes in base64; the first is the key for new records
 * @throws Error, without the keys, if there are none or one has the wrong length
 */
export function readStorageKeys(texts: readonly Secret[]): [StorageKey, ...StorageKey[]] {
  const [newest, ...older] = texts.map(readStorageKey);
  if (!newest) throw new Error('There is no storage key');
  return [newest, ...older];
}

function readStorageKey(text: Secret): StorageKey {
  const bytes = Buffer.from(text.reveal(), 'base64');
  if (bytes.length !== KEY_BYTES) throw new Error('A storage key must be 32 bytes');
  const fingerprint = createHmac('sha256', bytes).update('storage key version').digest('hex');
  return { bytes, version: fingerprint.slice(0, KEY_VERSION_LENGTH) };
}
