import { type DomainError, forbidden } from '../common/errors/domain-error';
import { currentRequest } from '../common/http/request-context';
import type { RowCondition } from '../database/row-condition';
import { currentPrincipal, type Principal, type RelayerReach } from './principal';

/** The properties of a relayer that determine who can reach it. */
export interface ReachableRelayer {
  readonly id: string;
  readonly group: string | null;
}

/** What a request on a public route can reach. */
const NOTHING: RelayerReach = { relayers: new Set(), groups: new Set() };

/** Whether a principal can reach a relayer. To the principal, a relayer out of its reach does not exist. */
export function canReach({ reach }: Pick<Principal, 'reach'>, { id, group }: ReachableRelayer): boolean {
  return !reach || reach.relayers.has(id) || (group !== null && reach.groups.has(group));
}

/** Whether the current request can reach a relayer, see {@link currentReach}. */
export const isReachable = (relayer: ReachableRelayer): boolean =>
  canReach({ reach: currentReach() }, relayer);

/**
 * Asserts that the caller will still reach a relayer that it creates or moves to another group.
 *
 * @throws DomainError `forbidden`
 */
export function assertStaysReachable(relayer: ReachableRelayer): void {
  if (!isReachable(relayer)) throw outOfReach('a relayer with this id and group');
}

/** @param what a description of what is out of reach */
export const outOfReach = (what: string): DomainError => forbidden(`this API key cannot reach ${what}`);

/**
 * What the current request can reach; undefined for all relayers. Background work has no principal and reaches all of
 * them; a request on a public route has no principal either, and reaches none.
 */
export function currentReach(): RelayerReach | undefined {
  const principal = currentPrincipal();
  if (principal) return principal.reach;
  return currentRequest() && NOTHING;
}

/** The condition of {@link canReach} for rows of `relayers`. */
export function reachCondition({ relayers, groups }: RelayerReach): RowCondition {
  const parts = [columnIn('id', relayers), columnIn('relayer_group', groups)].filter((part) => part !== '');
  return { sql: parts.length > 0 ? `(${parts.join(' OR ')})` : '1 = 0', values: [...relayers, ...groups] };
}

const columnIn = (column: string, values: ReadonlySet<string>): string =>
  values.size === 0 ? '' : `${column} IN (${Array.from(values, () => '?').join(', ')})`;
