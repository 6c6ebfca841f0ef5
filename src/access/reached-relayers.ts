import type { UnitOfWork } from '../database/unit-of-work';
import type { RelayerReach } from './principal';

/**
 * Relayers of groups whose audit events and deliveries are found by their ids; those of more are searched in parts.
 * @limit Lists and batches
 */
const MAX_GROUPED = 1000;

/** The relayers whose audit events and deliveries a caller sees. */
export interface ReachedRelayers {
  ids: string[];
  /** Groups whose relayers are not among `ids`, because they have too many. */
  groups: string[];
}

/**
 * A group consists of the relayers that are in it now: what concerns deleted relayers is not visible to its keys. Ids are
 * looked up first because a server would read all rows of a list to find those of a subquery's relayers.
 */
export async function reachedRelayers(unitOfWork: UnitOfWork, reach: RelayerReach): Promise<ReachedRelayers> {
  const [ids, groups] = [[...reach.relayers], [...reach.groups]];
  if (groups.length === 0) return { ids, groups };
  const members = await unitOfWork.manager
    .createQueryBuilder()
    .select('id')
    .from('relayers', 'relayer')
    .where('relayer_group IN (:...groups)', { groups })
    .limit(MAX_GROUPED + 1)
    .getRawMany<{ id: string }>();
  if (members.length > MAX_GROUPED) return { ids, groups };
  return { ids: [...new Set([...ids, ...members.map(({ id }) => id)])], groups: [] };
}
