import { invalidRequest } from '../../common/errors/domain-error';
import { isObject } from '../../common/validation/json-object';

/** A received object in a signer's configuration. */
export type ConfigFields = Record<string, unknown>;

/**
 * Checks that a value is an object without unknown fields. Fields that are null count as absent: generated clients send
 * null for optional fields.
 *
 * @throws DomainError `invalid_request`
 */
export function configObject(value: unknown, path: string, known: readonly string[]): ConfigFields {
  if (!isObject(value)) {
    throw invalidRequest(`${path} must be an object of ${known.join(', ')}`);
  }
  const unknownField = Object.keys(value).find((key) => !known.includes(key));
  if (unknownField !== undefined) throw invalidRequest(`${path}.${unknownField} is not a known field`);
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/**
 * Checks that a value is a string that matches a pattern.
 *
 * @param rule completes the sentence `<path> must be …`
 * @throws DomainError `invalid_request`
 */
export function configText(value: unknown, path: string, pattern: RegExp, rule: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw invalidRequest(`${path} must be ${rule}`);
  return value;
}
