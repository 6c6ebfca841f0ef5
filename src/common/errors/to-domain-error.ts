import { HttpException } from '@nestjs/common';
import { DomainError, invalidRequest } from './domain-error';

/**
 * Turns whatever was thrown into a failure that may be shown. What is not recognised is an internal error
 * whose text stays in the log.
 */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  switch (statusOf(thrown)) {
    case 400:
      return invalidRequest(
        isBodyParserError(thrown) ? bodyParserDetail(thrown) : 'the request is malformed',
      );
    case 404:
      return new DomainError('route_not_found', 'Not Found', 'no such route');
    case 413:
      return new DomainError(
        'payload_too_large',
        'Payload Too Large',
        'the request body must not exceed 1 MiB',
      );
    case 415:
      return invalidRequest('Content-Encoding must be identity, gzip, deflate or br');
    default:
      return new DomainError('internal_error', 'Internal Server Error', undefined, { cause: thrown });
  }
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (isBodyParserError(thrown)) return thrown.status;
  return thrown instanceof URIError ? 400 : 500;
}

/** The errors of Express and of its body parser carry a status and a type (`entity.too.large`, `request.aborted` …). */
interface BodyParserError extends Error {
  status: number;
  type: string;
}

function isBodyParserError(thrown: unknown): thrown is BodyParserError {
  return (
    thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number' && 'type' in thrown
  );
}

function bodyParserDetail(error: BodyParserError): string {
  switch (error.type) {
    case 'request.aborted':
      return 'the request body ended early';
    case 'request.size.invalid':
      return 'the request body does not have the length that Content-Length says';
    default:
      return 'the request body cannot be read';
  }
}
