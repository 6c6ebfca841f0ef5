import { validationRule } from './validation-rule';

/** The rule for the items of a list. */
export interface ListRule {
  max: number;
  isItem: (value: unknown) => boolean;
  /** Describes a valid item; the error text puts it after "must be". */
  item: string;
}

/**
 * A list of 1 to `max` distinct strings. The failure names the position of the first invalid item, counted from 1.
 *
 * @param rule the rule, or a function that returns it at each validation
 */
export function IsListOf(rule: ListRule | (() => ListRule)): PropertyDecorator {
  const current = typeof rule === 'function' ? rule : () => rule;
  return validationRule(
    'isListOf',
    (value) => faultOf(value, current()) === undefined,
    (value) => faultOf(value, current()) ?? '',
  );
}

function faultOf(value: unknown, { max, isItem, item }: ListRule): string | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > max)
    return `$property must be a list of 1 to ${max} items`;
  const items = value as unknown[];
  const wrong = items.findIndex((one) => !isItem(one));
  if (wrong !== -1) return `item ${wrong + 1} of $property must be ${item}`;
  const repeated = items.findIndex((one, i) => items.indexOf(one) < i);
  return repeated === -1 ? undefined : `item ${repeated + 1} of $property is in the list already`;
}
