/** Any of its three forms (RFC 9110, 5.6.7). `Date.parse` alone also accepts "-1" and "1.5" as dates. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/** The delay of a `Retry-After` header, in milliseconds from now: seconds or a date (RFC 9110); undefined if it is neither. */
export function retryAfterMs(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,7}$/.test(header)) return Number(header) * 1000;
  const date = HTTP_DATE.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
