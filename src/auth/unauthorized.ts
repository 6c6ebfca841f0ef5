import type { Response } from 'express';
import { DomainError } from '../common/errors/domain-error';

/**
 * The error for a request without valid credentials. It never says what is wrong with them. The response names the
 * authentication scheme (RFC 6750 §3).
 */
export function refuseAccess(response: Response): DomainError {
  response.setHeader('WWW-Authenticate', 'Bearer');
  return new DomainError(
    'unauthorized',
    'Unauthorized',
    'exactly one Authorization header of the form "Bearer <API key>" is required',
  );
}
