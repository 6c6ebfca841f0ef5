/**
 * Which connections must be checked before they are used again. After a switchover the former primary still serves
 * reads, over connections that are open: the process would not notice a freeze or a revoked key, which are in the new
 * primary. All pools of the process share this, because one of them may have reached the new primary, and what it writes
 * must not rest on what another reads from the former one.
 */

/** On a read-only server, each check closes the connection, so that they must not be more frequent. */
const CHECKED_FOR_MS = 1_000;

/** By connection, a time of `performance.now()` at which its server was still in use. */
const checked = new WeakMap<object, number>();
/** The same for the last sign that another server may have taken over. */
let doubtedAt = -Infinity;

/** To be called when a server turns out to be read-only. Connections are then checked before they are used again. */
export function doubtConnections(): void {
  doubtedAt = performance.now();
}

/** @param at when the check began, in terms of `performance.now()` */
export function noteChecked(connection: object, at: number): void {
  checked.set(connection, at);
}

/** Whether the connection has been opened just now: it may lead to another server than the others. */
export const isNew = (connection: object): boolean => !checked.has(connection);

/** Whether the connection has not been checked since there was a reason to. */
export function needsCheck(connection: object): boolean {
  const at = checked.get(connection);
  return at === undefined || (at < doubtedAt && performance.now() - at >= CHECKED_FOR_MS);
}
