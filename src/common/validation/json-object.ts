const MAX_SHOWN_NAME = 64;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name that the caller chose, truncated so that an error may repeat it. */
export const shown = (name: string): string => name.slice(0, MAX_SHOWN_NAME);
