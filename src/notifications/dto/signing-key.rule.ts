import { hasControlCharacters, hasLength } from '../../common/validation/fields';
import { validationRule } from '../../common/validation/validation-rule';
import { MIN_SIGNING_KEY_BYTES, signingKeyFault } from '../signing-key';

/** Characters of the signing key of a notification. @limit Stored objects */
export const MAX_SIGNING_KEY_LENGTH = 1024;

/**
 * The minimum number of characters whose UTF-8 form can have the minimum number of bytes. The rule itself counts bytes.
 */
export const MIN_SIGNING_KEY_LENGTH = MIN_SIGNING_KEY_BYTES / 4;

/** A text without control characters that passes {@link signingKeyFault}. */
export function IsSigningKey(): PropertyDecorator {
  return validationRule(
    'signingKey',
    (value) => faultOf(value) === undefined,
    (value) => `$property ${faultOf(value)}`,
  );
}

const faultOf = (value: unknown): string | undefined =>
  isKeyText(value)
    ? signingKeyFault(value)
    : `must be a string of at least ${MIN_SIGNING_KEY_BYTES} bytes and at most ${MAX_SIGNING_KEY_LENGTH} characters, without control characters`;

const isKeyText = (value: unknown): value is string =>
  typeof value === 'string' && hasLength(value, 0, MAX_SIGNING_KEY_LENGTH) && !hasControlCharacters(value);
