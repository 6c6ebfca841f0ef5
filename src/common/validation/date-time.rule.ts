import { DATE_TIME_RULE, parseDateTime } from './rfc3339';
import { validationRule } from './validation-rule';

/** An RFC 3339 time. */
export function IsDateTime(): PropertyDecorator {
  return validationRule(
    'isDateTime',
    (value) => parseDateTime(value) !== undefined,
    `$property ${DATE_TIME_RULE}`,
  );
}
