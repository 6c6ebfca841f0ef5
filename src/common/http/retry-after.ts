/** Any of the three forms of RFC 9110, 5.6.7. `Date.parse` alone would also accept "-1" and "1.5". */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/**
 * Parses a `Retry-After` header (RFC 9110), which contains seconds or a date. Returns milliseconds from now; undefined
 * if it is neither.
 */
export function retryAfterMs(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,7}$/.test(header)) return Number(header) * 1000;
  const date = HTTP_DATE.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
