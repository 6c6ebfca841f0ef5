import { types } from 'node:util';
import { ArgumentsHost, Catch, ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { failure } from '../envelope/envelope';
import { currentRequest, recordedMetadata } from '../http/request-context';
import { DomainError } from './domain-error';
import { ERROR_POLICIES } from './error-codes';
import { errorCodeOf } from './error-code-of';
import { toDomainError } from './to-domain-error';

/** The one place that answers a failure: everything thrown on the way ends here, as the failure envelope. */
@Catch()
export class ExceptionEnvelopeFilter implements ExceptionFilter {
  private readonly logger = new Logger('Failure');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const error = toDomainError(thrown);
    const policy = ERROR_POLICIES[error.code];
    this.logger[policy.level](error.detail, {
      code: error.code,
      ...(policy.level === 'error' && { cause: describeCause(error) }),
    });
    response.locals.errorCode = error.code;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
    // A body that nobody read would be taken for the next request on the connection.
    if (!http.getRequest<Request>().complete) response.setHeader('Connection', 'close');
    response.status(policy.status).json(failure(error.message, answerDetail(error), recordedMetadata()));
  }
}

function answerDetail(error: DomainError): string {
  const requestId = currentRequest()?.id;
  return error.code === 'internal_error' && requestId !== undefined
    ? `${error.detail} (request id ${requestId})`
    : error.detail;
}

/** Name, text, driver code and stack of the cause: never the statement's parameters, which may hold secrets. */
function describeCause(error: DomainError): Record<string, unknown> {
  const cause = error.cause;
  if (!types.isNativeError(cause)) return { name: typeof cause };
  return { name: cause.name, text: cause.message, code: errorCodeOf(cause), stack: cause.stack };
}
