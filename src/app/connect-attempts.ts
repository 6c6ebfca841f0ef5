import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/**
 * Time for an attempt to connect to an address of the database or Redis, if its name has more. All attempts to connect
 * to Redis together have 2 s. @limit Database and Redis
 */
const ATTEMPT_MS = 1_000;

/**
 * Gives attempts to connect more time than Node's 250 ms, after which it moves on to the next address even if only the
 * event loop was busy; the clients of MySQL and Redis have no option for it. It applies to the whole process, so only
 * processes of the service's own call it.
 */
export function allowSlowConnecting(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(ATTEMPT_MS);
}
