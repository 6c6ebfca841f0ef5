import { ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';

export const MIN_SIGNING_KEY_BYTES = 32;
export const MAX_SIGNING_KEY_LENGTH = 1024;

/** A key is measured in bytes of UTF-8, since those are what HMAC takes. */
@ValidatorConstraint({ name: 'signingKey' })
export class SigningKeyRule implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'string' && Buffer.byteLength(value, 'utf8') >= MIN_SIGNING_KEY_BYTES;
  }

  defaultMessage(): string {
    return `$property must be at least ${MIN_SIGNING_KEY_BYTES} bytes`;
  }
}
