import {
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { signingKeyFault } from '../signing-key';

export const MAX_SIGNING_KEY_LENGTH = 1024;

/** {@link signingKeyFault} of a field; what is no text is told what is told of an empty one. */
@ValidatorConstraint({ name: 'signingKey' })
export class SigningKeyRule implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'string' && signingKeyFault(value) === undefined;
  }

  defaultMessage({ value }: ValidationArguments): string {
    return `$property ${signingKeyFault(typeof value === 'string' ? value : '')}`;
  }
}
