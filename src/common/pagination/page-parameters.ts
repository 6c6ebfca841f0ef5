import { invalidRequest } from '../errors/domain-error';
import { DATE_TIME_RULE, parseDateTime } from '../validation/rfc3339';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from './page-query';

/** Parses the query parameter `per_page` of a list. @throws DomainError `invalid_request` */
export function readPerPage(value: unknown): number {
  return readNonNegativeInteger('per_page', value, DEFAULT_PER_PAGE, MAX_PER_PAGE);
}

/** Parses a query parameter that must be a single integer from 0 to `max`. @throws DomainError `invalid_request` */
export function readNonNegativeInteger(
  name: string,
  value: unknown,
  whenAbsent: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  if (value === undefined) return whenAbsent;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN;
  if (!(number <= max)) throw invalidRequest(`${name} must be given once, as an integer from 0 to ${max}`);
  return number;
}

/**
 * Refuses a later page of a list that continues only by cursor: without it, a caller would get the first page again and
 * again. Clients that always send `page` may ask for the first one. @throws DomainError `invalid_request`
 */
export function assertFirstPage(page: unknown): void {
  if (page !== undefined && page !== '0' && page !== '1')
    throw invalidRequest('page must be 1, or left out: this list continues by cursor');
}

/** Parses a query parameter that must be one of `choices`. @throws DomainError `invalid_request` */
export function readChoice<T extends string>(name: string, choices: readonly T[], value: unknown): T {
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  const rule = Array.isArray(value) ? 'given once, as one of' : 'one of';
  throw invalidRequest(`${name} must be ${rule} ${choices.join(', ')}`);
}

/** Parses a query parameter that must be an RFC 3339 time. @throws DomainError `invalid_request` */
export function readTime(name: string, value: unknown): Date {
  const time = parseDateTime(value);
  if (time) return time;
  throw invalidRequest(`${name} ${DATE_TIME_RULE}`);
}
