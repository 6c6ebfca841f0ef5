import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A body up to this length is read and thrown away where nobody wants it, so that its connection can go on. */
export const DISCARDED_BYTES = 64 * 1024;
const LINGER_MS = 1_000;

/**
 * Closes the sending side, and the connection a second later at most. A connection that is closed while bytes are still
 * arriving is reset, and a reset can destroy the response before the client has read it.
 *
 * @param request the one whose body is arriving: some of it is read and thrown away, so that its end is noticed
 */
export function endAndLinger(socket: Socket, request?: IncomingMessage): void {
  if (request) discard(request);
  else socket.pause();
  socket.end();
  const timer = setTimeout(() => {
    socket.destroy();
  }, LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

function discard(request: IncomingMessage): void {
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DISCARDED_BYTES) request.pause();
  });
  request.once('end', () => {
    request.socket.destroy();
  });
  request.resume();
}
