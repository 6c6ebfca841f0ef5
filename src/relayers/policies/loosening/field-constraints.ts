import { getOrCreate } from '../../../common/get-or-create';
import type { FieldConstraint, FieldRange, FieldValue } from '../field-constraints';
import { isRaised } from './limits';

/**
 * The number of comparisons that are left. When there are none, nothing counts as implied: a change of large policies
 * may require approval, but never blocks the process.
 */
export interface Comparisons {
  left: number;
}

type Fields = Readonly<Record<string, FieldConstraint>>;

/**
 * Whether every message that satisfies `narrow` also satisfies `wide`, whatever the types of its members, which the
 * policy does not know. Therefore `5` and `"5"` are different values, because only the second can match a string, and a
 * string is never within a range, because ranges match only integers.
 */
export const areImplied = (
  wide: Fields | undefined,
  narrow: Fields | undefined,
  comparisons: Comparisons,
): boolean =>
  Object.entries(wide ?? {}).every(([name, constraint]) => {
    const own = narrow && Object.hasOwn(narrow, name) ? narrow[name] : undefined;
    return own !== undefined && isImplied(constraint, own, comparisons);
  });

function isImplied(wide: FieldConstraint, narrow: FieldConstraint, comparisons: Comparisons): boolean {
  if (!isRange(narrow))
    return valuesOf(narrow).every((value) => (comparisons.left -= 1) >= 0 && allows(wide, value));
  // A list could contain every integer of a range, but nobody writes that.
  return isRange(wide) && isWithin(wide, narrow);
}

function allows(constraint: FieldConstraint, value: FieldValue): boolean {
  if (Array.isArray(constraint)) return setOf(constraint).has(value);
  if (!isRange(constraint)) return constraint === value;
  return typeof value === 'number' && isWithin(constraint, { min: value, max: value });
}

/** The values of each list as a set, because lists are compared many times. */
const sets = new WeakMap<FieldValue[], Set<FieldValue>>();

function setOf(values: FieldValue[]): Set<FieldValue> {
  return getOrCreate(sets, values, () => new Set(values));
}

function isWithin(wide: FieldRange, { min, max }: FieldRange): boolean {
  const isAbove = wide.min === undefined || (min !== undefined && BigInt(min) >= BigInt(wide.min));
  return isAbove && !isRaised(wide.max, max);
}

const isRange = (constraint: FieldConstraint): constraint is FieldRange =>
  typeof constraint === 'object' && !Array.isArray(constraint);

const valuesOf = (constraint: FieldValue | FieldValue[]): FieldValue[] =>
  Array.isArray(constraint) ? constraint : [constraint];
