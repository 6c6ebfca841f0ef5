import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** One Express middleware of several, which are called in this order: each layer of Express' own costs a request about 1 %. */
export function inSequence(handlers: readonly RequestHandler[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const call = (index: number): void => {
      const handler = handlers[index];
      if (!handler) {
        next();
        return;
      }
      try {
        void handler(request, response, (error?: unknown) => {
          if (error) next(error);
          else call(index + 1);
        });
      } catch (error) {
        next(error);
      }
    };
    call(0);
  };
}
