import type { NextFunction, Request, Response } from 'express';
import { endAndLinger } from '../server/linger';
import { announcedLength } from './body-length';

/**
 * Size up to which a body that no handler reads is read and discarded, so that its connection can go on.
 * @limit Request bodies
 */
const DISCARDED_BYTES = 64 * 1024;

/** The original `shouldKeepAlive` of responses that will close their connection unless the body is read. */
const keptAlive = new WeakMap<Response, boolean>();

/**
 * Express middleware: a connection on which a long body is arriving ends with the response, unless the body is read
 * later. Node discards a short body after the response, and the connection can be reused.
 */
export function closeUnlessRead(request: Request, response: Response, next: NextFunction): void {
  if ((announcedLength(request) ?? Infinity) > DISCARDED_BYTES) {
    keptAlive.set(response, response.shouldKeepAlive);
    response.shouldKeepAlive = false;
    // Prevents Node from discarding the whole body, as it does for a body without a reader.
    request.read(0);
    const { socket } = request;
    // node:http calls this after the last response.
    socket.destroySoon = () => endAndLinger(socket);
  }
  next();
}

/** Must be called when the body has been read completely: the connection can then be reused after all. */
export function keepAliveAfterRead(request: Request, response: Response): void {
  const wasKeptAlive = keptAlive.get(response);
  if (wasKeptAlive === undefined) return;
  keptAlive.delete(response);
  response.shouldKeepAlive = wasKeptAlive;
  Reflect.deleteProperty(request.socket, 'destroySoon');
}
