import { currentPrincipal, type Principal } from './principal';

/** What decides who can reach a relayer. */
interface ReachableRelayer {
  readonly id: string;
  readonly group: string | null;
}

/** Whether a principal can reach a relayer; one that it cannot reach does not exist for it. */
export function canReach({ reach }: Principal, { id, group }: ReachableRelayer): boolean {
  return !reach || reach.relayers.has(id) || (group !== null && reach.groups.has(group));
}

/** Whether the current request can reach a relayer. Background work, which has no principal, reaches all of them. */
export function isReachable(relayer: ReachableRelayer): boolean {
  const principal = currentPrincipal();
  return principal === undefined || canReach(principal, relayer);
}
