import { IsIn, Matches, ValidateIf } from 'class-validator';
import { validationRule } from './validation-rule';

/** The ids of all resources: 1–36 letters, digits, dashes and underscores. */
export const IDENTIFIER = /^[A-Za-z0-9_-]{1,36}$/;

export function IsIdentifier(): PropertyDecorator {
  return Matches(IDENTIFIER, { message: '$property must be 1 to 36 letters, digits, dashes or underscores' });
}

/** One of several fixed texts. */
export function IsOneOf(choices: readonly string[]): PropertyDecorator {
  return IsIn(choices, { message: `$property must be one of ${choices.join(', ')}` });
}

/** Text without control characters, as a pattern for OpenAPI. */
export const TEXT_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** The same without bidirectional formatting, with which a name could be displayed as another one. */
const SHOWN_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$';

/** The OpenAPI schema of texts that {@link IsText} accepts. */
export const textSchema = (min: number, max: number) =>
  ({ type: String, minLength: min, maxLength: max, pattern: SHOWN_PATTERN }) as const;

/** 32 bytes in hex: 64 digits of either case, with or without `0x`. */
export function isHash32(value: unknown): value is string {
  return typeof value === 'string' && /^(0x)?[0-9a-fA-F]{64}$/.test(value);
}

/** The field may be omitted, but null is validated like any other value. */
export function IsOptionalButNotNull(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** A string of `min` to `max` Unicode code points without control characters, also those of bidirectional text. */
export function IsText(min: number, max: number): PropertyDecorator {
  return validationRule(
    'isText',
    (value) => typeof value === 'string' && hasLength(value, min, max) && isShownAsItIs(value),
    `$property must be a string of ${min} to ${max} characters without control characters`,
  );
}

/**
 * Whether a text has `min` to `max` Unicode code points, which JSON Schema and `varchar` count. JavaScript counts
 * UTF-16 units, of which a code point has up to two.
 */
export function hasLength(text: string, min: number, max: number): boolean {
  if (text.length > 2 * max) return false;
  const { length } = Array.from(text);
  return length >= min && length <= max;
}

const isShownAsItIs = (text: string): boolean =>
  !hasControlCharacters(text) && !/[\u202a-\u202e\u2066-\u2069]/.test(text);

export function hasControlCharacters(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- this is what it tests for
  return /[\u0000-\u001f\u007f-\u009f]/.test(text);
}
