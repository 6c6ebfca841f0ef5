import {
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { hasControlCharacters, hasLength } from '../../common/validation/fields';
import { MIN_SIGNING_KEY_BYTES, signingKeyFault } from '../signing-key';

/** Characters of the signing key of a notification. @limit Stored objects */
export const MAX_SIGNING_KEY_LENGTH = 1024;

/**
 * The minimum number of characters whose UTF-8 form can have the minimum number of bytes. The rule itself counts bytes.
 */
export const MIN_SIGNING_KEY_LENGTH = MIN_SIGNING_KEY_BYTES / 4;

/** A text without control characters that passes {@link signingKeyFault}. */
@ValidatorConstraint({ name: 'signingKey' })
export class SigningKeyRule implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return isKeyText(value) && signingKeyFault(value) === undefined;
  }

  defaultMessage({ value }: ValidationArguments): string {
    const fault = isKeyText(value) ? signingKeyFault(value) : undefined;
    return `$property ${fault ?? `must be a string of at least ${MIN_SIGNING_KEY_BYTES} bytes and at most ${MAX_SIGNING_KEY_LENGTH} characters, without control characters`}`;
  }
}

const isKeyText = (value: unknown): value is string =>
  typeof value === 'string' && hasLength(value, 0, MAX_SIGNING_KEY_LENGTH) && !hasControlCharacters(value);
