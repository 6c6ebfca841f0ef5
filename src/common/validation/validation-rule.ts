import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

/**
 * A decorator for a rule of its own.
 *
 * @param name the key of its failure among the constraints of class-validator
 * @param text the failure, in which `$property` stands for the name of the property; or what returns it for a value
 */
export function validationRule(
  name: string,
  isValid: (value: unknown) => boolean,
  text: string | ((value: unknown) => string),
  options?: ValidationOptions,
): PropertyDecorator {
  const textOf = typeof text === 'string' ? () => text : text;
  const defaultMessage = buildMessage((each, failed) => each + textOf(failed?.value), options);
  return ValidateBy({ name, validator: { validate: isValid, defaultMessage } }, options);
}
