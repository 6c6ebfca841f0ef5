/** A key in the form of Standard Webhooks, whose bytes are base64 behind this. */
const STANDARD_PREFIX = 'whsec_';
const STANDARD_BYTES = { min: 24, max: 64 };

/** Minimum size of the signing key of a notification. @limit Stored objects */
export const MIN_SIGNING_KEY_BYTES = 32;

/**
 * What is wrong with a key, to be read behind the name of its field; undefined where nothing is. One in the form of
 * Standard Webhooks must be what their libraries take; any other is measured in bytes of UTF-8, since those are what HMAC takes.
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

/** The bytes with which a key signs as Standard Webhooks do: those it spells out, or its own where it is in no such form. */
export function standardKeyBytes(key: string): Buffer {
  return key.startsWith(STANDARD_PREFIX)
    ? Buffer.from(key.slice(STANDARD_PREFIX.length), 'base64')
    : Buffer.from(key, 'utf8');
}
