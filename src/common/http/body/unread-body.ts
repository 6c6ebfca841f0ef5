import type { NextFunction, Request, Response } from 'express';
import { DISCARDED_BYTES, endAndLinger } from '../server/linger';
import { announcedLength } from './body-length';

/** Responses that are the last of their connection unless the body is read; whether they would be anyway. */
const keptAlive = new WeakMap<Response, boolean>();

/**
 * Express middleware: unless the body is read later, a connection on which a long body is arriving ends with the response.
 * A short one is thrown away by Node once the response was sent, and the connection goes on.
 */
export function closeUnlessRead(request: Request, response: Response, next: NextFunction): void {
  if ((announcedLength(request) ?? Infinity) > DISCARDED_BYTES) {
    keptAlive.set(response, response.shouldKeepAlive);
    response.shouldKeepAlive = false;
    const { socket } = request;
    // What node:http calls once the last response was sent.
    socket.destroySoon = () => {
      endAndLinger(socket, request);
    };
  }
  next();
}

/** The body was read in full: the connection may go on after all. */
export function keepAliveAfterRead(request: Request, response: Response): void {
  const wasKeptAlive = keptAlive.get(response);
  if (wasKeptAlive === undefined) return;
  keptAlive.delete(response);
  response.shouldKeepAlive = wasKeptAlive;
  Reflect.deleteProperty(request.socket, 'destroySoon');
}
