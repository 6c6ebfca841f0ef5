import { DomainError } from '../common/errors/domain-error';
import type { RowCondition } from '../database/row-condition';
import { currentPrincipal, type Principal, type RelayerReach } from './principal';

/** The properties of a relayer that determine who can reach it. */
export interface ReachableRelayer {
  readonly id: string;
  readonly group: string | null;
}

/** Whether a principal can reach a relayer. To the principal, a relayer out of its reach does not exist. */
export function canReach({ reach }: Principal, { id, group }: ReachableRelayer): boolean {
  return !reach || reach.relayers.has(id) || (group !== null && reach.groups.has(group));
}

/** Whether the current request can reach a relayer. Background work has no principal and reaches all of them. */
export function isReachable(relayer: ReachableRelayer): boolean {
  const principal = currentPrincipal();
  return principal === undefined || canReach(principal, relayer);
}

/**
 * Asserts that the caller will still reach a relayer that it creates or moves to another group.
 *
 * @throws DomainError `forbidden`
 */
export function assertStaysReachable(relayer: ReachableRelayer): void {
  if (!isReachable(relayer)) throw outOfReach('a relayer with this id and group');
}

/** @param what a description of what is out of reach */
export const outOfReach = (what: string): DomainError =>
  new DomainError('forbidden', 'Forbidden', `this API key cannot reach ${what}`);

/** What the current request can reach; undefined for all relayers. */
export const currentReach = (): RelayerReach | undefined => currentPrincipal()?.reach;

/** The condition of {@link canReach} for rows of `relayers`. */
export function reachCondition({ relayers, groups }: RelayerReach): RowCondition {
  const parts = [columnIn('id', relayers), columnIn('relayer_group', groups)].filter((part) => part !== '');
  return { sql: parts.length > 0 ? `(${parts.join(' OR ')})` : '1 = 0', values: [...relayers, ...groups] };
}

const columnIn = (column: string, values: ReadonlySet<string>): string =>
  values.size === 0 ? '' : `${column} IN (${Array.from(values, () => '?').join(', ')})`;
