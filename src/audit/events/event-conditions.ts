import type { AuditEventFilter } from './audit-event.query';
import type { ReachedRelayers } from '../../access/reached-relayers';

const NOTHING = 'IN (NULL)';
const IN_GROUPS = 'SELECT id FROM relayers WHERE relayer_group IN (:...groups)';

/** A condition on a column that has an index. */
export interface EventCondition {
  /** The column of the query's alias `event`. */
  column: string;
  /** What is required of the column. */
  test: string;
  parameters: Record<string, unknown>;
  /** Whether the index yields the matching events in the order of the list: only if one value matches. */
  isOrdered: boolean;
  /** Whether the values are too many to look each up in the index. */
  isBroad?: boolean;
}

/** The conditions of the filters and of what the caller reaches, besides the times. */
export function conditionsOf(
  { action, relayerId, keyId }: AuditEventFilter,
  reached: ReachedRelayers | undefined,
): EventCondition[] {
  const conditions: EventCondition[] = [];
  const add = (column: string, value: string): void => {
    const name = column.replace('.', '_');
    // No recorded text ends with a blank. MySQL and MariaDB would ignore it.
    const test = value.endsWith(' ') ? NOTHING : `= :${name}`;
    conditions.push({ column, test, parameters: { [name]: value }, isOrdered: true });
  };
  if (action !== undefined) add('event.action', action);
  if (relayerId !== undefined) add('event.relayer_id', relayerId);
  if (keyId !== undefined) add('event.key_id', keyId);
  if (reached) conditions.push({ column: 'event.relayer_id', ...reachedBy(reached), isOrdered: false });
  return conditions;
}

/**
 * A list of literal ids: a server reads the events of a subquery's relayers by looking at every event, and SQLite reads
 * the newest events of each relayer from the index only for a single list.
 */
function reachedBy({
  ids,
  groups,
}: ReachedRelayers): Pick<EventCondition, 'test' | 'parameters' | 'isBroad'> {
  if (groups.length > 0)
    return {
      test: `IN (${[IN_GROUPS, ...ids.map((_, i) => `SELECT :reached${i}`)].join(' UNION ')})`,
      parameters: { groups, ...Object.fromEntries(ids.map((id, i) => [`reached${i}`, id])) },
      isBroad: true,
    };
  return ids.length > 0
    ? { test: 'IN (:...reached)', parameters: { reached: ids } }
    : { test: NOTHING, parameters: {} };
}
