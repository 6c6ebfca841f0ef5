import type { NextFunction, Request, Response } from 'express';
import { sendFailure } from '../errors/send-failure';
import { DomainError, unavailable } from '../errors/domain-error';

/**
 * Ends a request that has no response after `milliseconds`: with 503, or with 408 if its body has not arrived
 * completely. It covers guards, the body, pipes and handlers. The work of the request may still finish.
 */
export function requestTimeout(milliseconds: number) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const timer = setTimeout(() => {
      if (!response.headersSent) sendFailure(request.complete ? tooLate() : tooSlow(), response);
    }, milliseconds);
    response.once('close', () => clearTimeout(timer));
    next();
  };
}

const tooLate = (): DomainError => unavailable('the request took too long');

const tooSlow = (): DomainError =>
  new DomainError('request_timeout', 'Request Timeout', 'the request took too long to arrive');
