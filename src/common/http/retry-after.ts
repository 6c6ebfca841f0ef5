/** Any of the three forms of RFC 9110, 5.6.7. `Date.parse` alone would also accept "-1" and "1.5". */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;
/** The form of `asctime`, which is in UTC but does not say so. */
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [\d ]\d \d\d:\d\d:\d\d \d{4}$/;
/** Longer than anything waits, and a valid date when added to the present. */
const MAX_MS = 1e12;

/**
 * Parses a `Retry-After` header (RFC 9110), which contains seconds or a date; if it was sent several times, the longest
 * delay counts. Returns milliseconds from now, at most 10^12; undefined if it is neither.
 */
export function retryAfterMs(header: string | string[] | undefined): number | undefined {
  const delays = [header ?? []].flat().flatMap((value) => delayOf(value) ?? []);
  return delays.length === 0 ? undefined : Math.min(Math.max(0, ...delays), MAX_MS);
}

function delayOf(value: string): number | undefined {
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = HTTP_DATE.test(value)
    ? Date.parse(ASCTIME_DATE.test(value) ? `${value} GMT` : value)
    : Number.NaN;
  return Number.isNaN(date) ? undefined : date - Date.now();
}
