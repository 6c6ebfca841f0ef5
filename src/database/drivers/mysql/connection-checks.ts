/**
 * Which connections must be checked before they are used again. After a switchover the former primary still serves
 * reads, over connections that are open: the process would not notice a freeze or a revoked key, which are in the new
 * primary. All pools of the process share this, because one of them may have reached the new primary, and what it writes
 * must not rest on what another reads from the former one.
 */

/** How long a connection to a read-only server is used, so that the only server is not connected to all the time. */
const READ_ONLY_FOR_MS = 1_000;

/** By connection, a time of `performance.now()` at which its server was still in use. */
const checked = new WeakMap<object, number>();
/** Connections whose server was read-only when they were checked. */
const readOnly = new WeakSet<object>();
/** The same for the last sign that another server may have taken over. */
let doubtedAt = -Infinity;

/** To be called when a server turns out to be read-only. Connections are then checked before they are used again. */
export function doubtConnections(): void {
  doubtedAt = performance.now();
}

/** @param at when the check began, in terms of `performance.now()` */
export function noteChecked(connection: object, at: number, isReadOnly: boolean): void {
  checked.set(connection, at);
  if (isReadOnly) readOnly.add(connection);
}

/** Whether the connection has been opened just now: it may lead to another server than the others. */
export const isNew = (connection: object): boolean => !checked.has(connection);

/** Whether the connection has not been checked since there was a reason to. */
export function needsCheck(connection: object): boolean {
  const at = checked.get(connection);
  if (at === undefined) return true;
  return at < doubtedAt && (!readOnly.has(connection) || performance.now() - at >= READ_ONLY_FOR_MS);
}
