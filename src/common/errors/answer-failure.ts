import type { Request, Response } from 'express';
import { failure } from '../envelope/envelope';
import { recordedMetadata } from '../http/request-context';
import { ERROR_POLICIES } from './error-codes';
import { answerDetail, logFailure } from './failure-log';
import { RateLimitedError } from './rate-limited.error';
import { toDomainError } from './to-domain-error';

/**
 * Logs whatever was thrown, and answers it in the failure envelope. An answer that has begun is cut, so that nobody takes
 * it for a whole one; one that has ended is left alone, as when a request fails after its time-out.
 */
export function answerFailure(thrown: unknown, request: Request, response: Response): void {
  const error = toDomainError(thrown);
  logFailure(error);
  if (response.writableEnded) return;
  response.locals.errorCode = error.code;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
  if (error instanceof RateLimitedError) response.setHeader('Retry-After', error.retryAfterSeconds);
  // A body that nobody read would be taken for the next request on the connection.
  if (!request.complete) response.setHeader('Connection', 'close');
  response
    .status(ERROR_POLICIES[error.code].status)
    .json(failure(error.message, answerDetail(error), recordedMetadata()));
}
