import { invalidRequest } from '../errors/domain-error';
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
