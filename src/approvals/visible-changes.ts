import { type FindOperator, type FindOptionsWhere, In, Raw } from 'typeorm';
import type { Principal, RelayerReach } from '../access/principal';
import { canReach } from '../access/relayer-reach';
import type { SparseRows } from '../database/sparse-pages';
import type { ChangeEntity, ChangeStatus } from './change.entity';

/** Alternatives that have no changes in common. */
type Conditions = FindOptionsWhere<ChangeEntity>[];

/** A filter of the list. An index has the changes of each status in the order of the list. */
export interface StatusCondition {
  status?: ChangeStatus;
  expiresAt?: FindOperator<Date>;
}

/**
 * Whether a principal may see a change. One that is limited to some relayers sees only changes about these. The group
 * of a relayer is the one it had when the change was requested; if that is different now, the change can no longer be
 * applied.
 */
export function isVisible(
  { relayerId: id, relayerGroup: group }: ChangeEntity,
  principal: Principal,
): boolean {
  return !principal.reach || (id !== null && canReach(principal, { id, group }));
}

/** The changes with one of these conditions that are visible to a principal that is limited to some relayers. */
export function visibleTo(
  reach: RelayerReach,
  filters: readonly StatusCondition[],
): SparseRows<ChangeEntity> {
  const all = aboutReached(reach);
  const relayerId = isAboutReached(reach);
  return {
    selected: { all, matching: all.flatMap((about) => filters.map((one) => ({ ...about, ...tested(one) }))) },
    searched: filters.map((part) => ({ part, shown: { relayerId } })),
  };
}

/** Each of them has an index. */
function aboutReached({ relayers, groups }: RelayerReach): Conditions {
  const [ids, names] = [[...relayers], [...groups]];
  const isOther = Raw((column) => `COALESCE(${column}, '') NOT IN (:...otherThan)`, { otherThan: ids });
  return [
    ...(ids.length > 0 ? [{ relayerId: In(ids) }] : []),
    ...(names.length > 0
      ? [{ relayerGroup: In(names), ...(ids.length > 0 && { relayerId: isOther as FindOperator<string> }) }]
      : []),
  ];
}

/** The same without the use of an index. */
function isAboutReached({ relayers, groups }: RelayerReach): FindOperator<string> {
  const condition = (column: string): string => {
    const parts = [
      ...(relayers.size > 0 ? [`COALESCE(${column}, '') IN (:...reachedRelayers)`] : []),
      ...(groups.size > 0 ? [`COALESCE(relayer_group, '') IN (:...reachedGroups)`] : []),
    ];
    return parts.length > 0 ? `(${parts.join(' OR ')})` : '1 = 0';
  };
  const parameters = { reachedRelayers: [...relayers], reachedGroups: [...groups] };
  return Raw(condition, parameters) as FindOperator<string>;
}

/** The sign keeps SQLite from using the index of statuses. */
function tested({ status, ...others }: StatusCondition): FindOptionsWhere<ChangeEntity> {
  const hasStatus = Raw((column) => `+${column} = :status`, { status }) as FindOperator<ChangeStatus>;
  return { ...others, ...(status && { status: hasStatus }) };
}
