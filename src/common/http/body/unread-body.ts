import type { NextFunction, Request, Response } from 'express';
import { endAndLinger } from '../server/linger';
import { announcedLength } from './body-length';

/** A body up to this length is read and thrown away where nobody wants it, so that its connection can go on. */
const DISCARDED_BYTES = 64 * 1024;

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
    // Node would read and throw away all of a body that nobody has begun to read.
    request.read(0);
    const { socket } = request;
    // What node:http calls once the last response was sent.
    socket.destroySoon = () => {
      endAndLinger(socket);
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
