import { type Type, ValidationPipe } from '@nestjs/common';
import { invalidRequest } from '../errors/domain-error';
import { describeFaults } from './validation-faults';
import { VALIDATOR_OPTIONS } from './validator-options';

/** The class-validator rules for bodies that are DTOs. */
export const BODY_VALIDATION = new ValidationPipe({
  transform: true,
  ...VALIDATOR_OPTIONS,
  exceptionFactory: (faults) => invalidRequest(describeFaults(faults)),
});

/**
 * Validates an argument from a caller within the process by the rules for request bodies. A DTO has already been
 * validated when it was parsed.
 *
 * @throws DomainError `invalid_request`
 */
export async function validated<T extends object>(type: Type<T>, given: object): Promise<T> {
  if (given instanceof type) return given;
  return (await BODY_VALIDATION.transform(given, { type: 'body', metatype: type })) as T;
}
