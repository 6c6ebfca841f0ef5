import { HttpException } from '@nestjs/common';
import { bodyEncoded, bodyTooLarge } from '../http/body/body-errors';
import { DomainError, invalidRequest } from './domain-error';

/**
 * Converts any error to a failure that may be shown. An unknown error becomes an internal error, whose text is only
 * logged.
 */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  switch (statusOf(thrown)) {
    case 400:
      return invalidRequest('the request is malformed');
    case 404:
      return new DomainError('route_not_found', 'Not Found', 'no such route');
    case 413:
      return bodyTooLarge();
    case 415:
      return bodyEncoded();
    default:
      return new DomainError('internal_error', 'Internal Server Error', undefined, { cause: thrown });
  }
}

/** The status of Nest's exceptions, and of a path that Express cannot decode. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  return thrown instanceof URIError ? 400 : 500;
}
