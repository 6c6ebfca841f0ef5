import { type FindOptionsWhere, In } from 'typeorm';
import type { Principal } from '../access/principal';
import { canReach } from '../access/relayer-reach';
import type { ChangeEntity } from './change.entity';

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

/** Alternative conditions for visible changes. */
export function visibleTo({ reach }: Principal): FindOptionsWhere<ChangeEntity>[] {
  if (!reach) return [{}];
  return [{ relayerId: In([...reach.relayers]) }, { relayerGroup: In([...reach.groups]) }];
}
