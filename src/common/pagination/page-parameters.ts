import { invalidRequest } from '../errors/domain-error';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from './page-query';

/** The query parameter `per_page` of a list. @throws DomainError `invalid_request` */
export function readPerPage(value: unknown): number {
  const perPage = readNonNegativeInteger('per_page', value, DEFAULT_PER_PAGE);
  if (perPage > MAX_PER_PAGE) throw invalidRequest(`per_page must not exceed ${MAX_PER_PAGE}`);
  return perPage;
}

/** A query parameter that is one integer from 0 to 2^53−1. @throws DomainError `invalid_request` */
export function readNonNegativeInteger(name: string, value: unknown, whenAbsent: number): number {
  if (value === undefined) return whenAbsent;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN;
  if (!Number.isSafeInteger(number)) {
    throw invalidRequest(`${name} must be given once, as an integer from 0 to ${Number.MAX_SAFE_INTEGER}`);
  }
  return number;
}
