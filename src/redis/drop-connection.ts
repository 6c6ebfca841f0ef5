import type { Redis } from 'ioredis';

/**
 * Drops a connection that does not respond, along with all of its commands; the client opens another one. Otherwise that
 * takes until the operating system gives it up, which may be a quarter of an hour.
 */
export function dropConnection(client: Redis): void {
  if (client.status === 'ready' || client.status === 'connect') client.disconnect(true);
}
