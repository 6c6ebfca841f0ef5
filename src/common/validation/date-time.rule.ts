import { buildMessage, ValidateBy } from 'class-validator';
import { DATE_TIME_RULE, parseDateTime } from './rfc3339';

/** An RFC 3339 time. */
export function IsDateTime(): PropertyDecorator {
  return ValidateBy({
    name: 'isDateTime',
    validator: {
      validate: (value: unknown) => parseDateTime(value) !== undefined,
      defaultMessage: buildMessage((each) => `${each}$property ${DATE_TIME_RULE}`),
    },
  });
}
