const MAX_SHOWN = 10;
const MAX_SHOWN_NAME = 64;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name that the caller chose, truncated so that an error may repeat it. */
export const shown = (name: string): string => name.slice(0, MAX_SHOWN_NAME);

/**
 * Names at most ten of the fields, since the caller chose how many there are.
 *
 * @param prefix the path of their object
 */
export const unknownFieldFaults = (names: readonly string[], prefix = ''): string[] =>
  names.slice(0, MAX_SHOWN).map((name) => `${prefix}${shown(name)} is not a known field`);
