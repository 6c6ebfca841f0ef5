import { DomainError } from '../common/errors/domain-error';

/** The error for a request without valid credentials. It never says what is wrong with them. */
export const unauthorized = (): DomainError =>
  new DomainError(
    'unauthorized',
    'Unauthorized',
    'valid credentials are required: one Authorization header of the form "Bearer <API key>", or a signature',
  );
