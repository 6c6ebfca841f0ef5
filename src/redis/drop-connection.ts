import type { Redis } from 'ioredis';

/**
 * Drops a connection along with all of its commands; the client opens another one. If a connection does not respond,
 * that would otherwise take until the operating system gives it up, which may be a quarter of an hour.
 */
export function dropConnection(client: Redis): void {
  if (client.status === 'ready' || client.status === 'connect') client.disconnect(true);
}
