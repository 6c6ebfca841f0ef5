import type { RelayerReach } from '../../access/principal';
import type { AuditEventFilter } from './audit-event.query';

/** A condition on a column that has an index. */
export interface EventCondition {
  /** The column of the query's alias `event`. */
  column: string;
  /** What is required of the column. */
  test: string;
  parameters: Record<string, unknown>;
  /** Whether the index yields the matching events in the order of the list: only if one value matches. */
  isOrdered: boolean;
}

/** The conditions of the filters and of what the caller reaches, besides the times. */
export function conditionsOf(
  { action, relayerId, keyId }: AuditEventFilter,
  reach: RelayerReach | undefined,
): EventCondition[] {
  const conditions: EventCondition[] = [];
  const add = (column: string, test: string, parameters: Record<string, unknown>, isOrdered = true): void => {
    conditions.push({ column, test, parameters, isOrdered });
  };
  if (action !== undefined) add('event.action', '= :action', { action });
  if (relayerId !== undefined) add('event.relayer_id', '= :relayerId', { relayerId });
  if (keyId !== undefined) add('event.key_id', '= :keyId', { keyId });
  if (reach) add('event.relayer_id', ...reachedBy(reach), false);
  return conditions;
}

/**
 * A group consists of the relayers that are in it now. Events about deleted relayers are therefore not visible to its
 * keys. A single list of ids lets SQLite read the newest events of each relayer from the index; for two lists that are
 * alternatives, it would read and sort all of their events.
 */
function reachedBy({ relayers, groups }: RelayerReach): [string, Record<string, unknown>] {
  const ids = Object.fromEntries([...relayers].map((id, i) => [`reached${i}`, id]));
  const lists = Object.keys(ids).map((name) => `SELECT :${name}`);
  if (groups.size > 0) lists.unshift('SELECT id FROM relayers WHERE relayer_group IN (:...groups)');
  return [`IN (${lists.join(' UNION ') || 'NULL'})`, { ...ids, groups: [...groups] }];
}
