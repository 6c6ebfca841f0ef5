import type { NextFunction, Request, Response } from 'express';
import { DomainError } from '../errors/domain-error';

/**
 * Answers 503 where what follows takes longer than `milliseconds`, although what it began may still finish. It starts
 * after the body was read, for which the server has a time-out of its own.
 */
export function requestTimeout(milliseconds: number) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    const timer = setTimeout(() => {
      if (!response.headersSent) next(tooLate());
    }, milliseconds);
    response.once('close', () => {
      clearTimeout(timer);
    });
    next();
  };
}

const tooLate = (): DomainError =>
  new DomainError('unavailable', 'Service Unavailable', 'the request took too long');
