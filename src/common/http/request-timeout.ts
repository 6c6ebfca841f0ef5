import type { NextFunction, Request, Response } from 'express';
import { answerFailure } from '../errors/answer-failure';
import { DomainError } from '../errors/domain-error';

/**
 * Answers 503 where no answer has begun after `milliseconds`, although what the request has begun may still finish. It
 * starts after the body was read, for which the server has a time-out of its own, and covers guards, pipes and handlers.
 */
export function requestTimeout(milliseconds: number) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const timer = setTimeout(() => {
      if (!response.headersSent) answerFailure(tooLate(), request, response);
    }, milliseconds);
    response.once('close', () => {
      clearTimeout(timer);
    });
    next();
  };
}

const tooLate = (): DomainError =>
  new DomainError('unavailable', 'Service Unavailable', 'the request took too long');
