const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The end of the year 9999, the last time that every supported database can store. */
export const MAX_TIME = 253_402_300_799_999;

/** The rule of {@link parseDateTime}, to be put after the name of a field. */
export const DATE_TIME_RULE = 'must be a time of RFC 3339 from 1970 to 9999, such as 2026-01-31T12:00:00Z';

/** Parses an RFC 3339 time, with the milliseconds of `Date`; undefined for anything else. */
export function parseDateTime(text: unknown): Date | undefined {
  const parts = typeof text === 'string' ? DATE_TIME.exec(text.toUpperCase()) : null;
  if (!parts) return undefined;
  const [dateTime, year, month, day] = parts;
  // Date accepts the 31st of every month and rolls over to the next month.
  const isInMonth =
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  const date = new Date(dateTime);
  return isInMonth && date.getTime() >= 0 && date.getTime() <= MAX_TIME ? date : undefined;
}
