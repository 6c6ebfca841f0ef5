import { HttpStatus } from '@nestjs/common';
import type { Response } from 'express';
import { failure } from '../envelope/envelope';
import { recordedMetadata } from '../http/request-context';
import { failureDetail, logFailure } from './failure-log';
import { ERROR_POLICIES, type ErrorCode } from './error-codes';
import { RetryLaterError } from './retry-later.error';
import { toDomainError } from './to-domain-error';

/** After these failures, further bytes on the connection may still belong to the request. */
const ENDS_CONNECTION: ReadonlySet<ErrorCode> = new Set(['request_timeout', 'expectation_failed']);

/**
 * Logs an error and responds with the failure envelope. A response that has begun is aborted, so that the client does
 * not take it for complete. One that has ended is left alone, for example if a request fails after its timeout.
 */
export function sendFailure(thrown: unknown, response: Response): void {
  const error = toDomainError(thrown);
  logFailure(error);
  if (response.writableEnded) return;
  response.locals.errorCode = error.code;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof RetryLaterError) response.setHeader('Retry-After', error.retryAfterSeconds);
  const { status } = ERROR_POLICIES[error.code];
  // RFC 9110 §11.6.1 requires a challenge; RFC 6750 §3 names the scheme.
  if (status === HttpStatus.UNAUTHORIZED && !response.hasHeader('WWW-Authenticate'))
    response.setHeader('WWW-Authenticate', 'Bearer');
  if (ENDS_CONNECTION.has(error.code)) response.shouldKeepAlive = false;
  response.status(status).json(failure(error.message, failureDetail(error), recordedMetadata()));
}
