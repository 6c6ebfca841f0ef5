/** The prefix of keys in the format of Standard Webhooks; the base64 of the key bytes follows. */
const STANDARD_PREFIX = 'whsec_';
const STANDARD_BYTES = { min: 24, max: 64 };

/** Minimum size of the signing key of a notification. @limit Stored objects */
export const MIN_SIGNING_KEY_BYTES = 32;

/**
 * Describes what is wrong with a key, to be put after the name of its field; undefined if it is valid. A key in the
 * format of Standard Webhooks must be valid for their libraries. Any other is measured in UTF-8 bytes, because those
 * are the HMAC key.
 */
export function signingKeyFault(key: string): string | undefined {
  if (key.startsWith(STANDARD_PREFIX)) {
    const { min, max } = STANDARD_BYTES;
    const bytes = standardKeyBytes(key);
    const isCanonical = bytes.toString('base64') === key.slice(STANDARD_PREFIX.length);
    return isCanonical && bytes.length >= min && bytes.length <= max
      ? undefined
      : `must be ${STANDARD_PREFIX} and the base64 of ${min} to ${max} bytes`;
  }
  return Buffer.byteLength(key, 'utf8') >= MIN_SIGNING_KEY_BYTES
    ? undefined
    : `must be at least ${MIN_SIGNING_KEY_BYTES} bytes`;
}

/**
 * The key bytes for Standard Webhooks signatures: those that the key encodes, or its UTF-8 bytes if it is not in their
 * format.
 */
export function standardKeyBytes(key: string): Buffer {
  return key.startsWith(STANDARD_PREFIX)
    ? Buffer.from(key.slice(STANDARD_PREFIX.length), 'base64')
    : Buffer.from(key, 'utf8');
}
