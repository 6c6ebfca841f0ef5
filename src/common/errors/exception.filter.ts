import { ArgumentsHost, Catch, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { failure } from '../envelope/envelope';
import { recordedMetadata } from '../http/request-context';
import { ERROR_POLICIES } from './error-codes';
import { answerDetail, logFailure } from './failure-log';
import { RateLimitedError } from './rate-limited.error';
import { toDomainError } from './to-domain-error';

/** The one place that answers a failure: everything thrown on the way ends here, as the failure envelope. */
@Catch()
export class ExceptionEnvelopeFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const error = toDomainError(thrown);
    logFailure(error);
    // The request has timed out, and was answered so.
    if (response.writableEnded) return;
    response.locals.errorCode = error.code;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
    if (error instanceof RateLimitedError) response.setHeader('Retry-After', error.retryAfterSeconds);
    // A body that nobody read would be taken for the next request on the connection.
    if (!http.getRequest<Request>().complete) response.setHeader('Connection', 'close');
    response
      .status(ERROR_POLICIES[error.code].status)
      .json(failure(error.message, answerDetail(error), recordedMetadata()));
  }
}
