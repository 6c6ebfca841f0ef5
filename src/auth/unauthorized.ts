import { DomainError } from '../common/errors/domain-error';

/** The request carries no valid token; never says which part of the header is wrong. */
export const unauthorized = (): DomainError =>
  new DomainError(
    'unauthorized',
    'Unauthorized',
    'exactly one Authorization header of the form "Bearer <API key>" is required',
  );
