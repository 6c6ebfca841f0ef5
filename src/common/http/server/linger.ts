import type { Socket } from 'node:net';

const LINGER_MS = 1_000;

/**
 * Closes the sending side immediately, and the connection a second later; bytes that arrive meanwhile are not read. If
 * a connection is closed while bytes are arriving, it is reset, and a reset can destroy the response before the client
 * has read it.
 */
export function endAndLinger(socket: Socket): void {
  socket.pause();
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
