import type { RelayerReach } from '../../access/principal';
import type { UnitOfWork } from '../../database/unit-of-work';

/** Relayers of groups whose events are found by their ids; the events of more are searched in parts. @limit Audit log */
const MAX_GROUPED = 1000;

/** The relayers whose events a caller sees. */
export interface ReachedRelayers {
  ids: string[];
  /** Groups whose relayers are not among `ids`, because they have too many. */
  groups: string[];
}

/**
 * A group consists of the relayers that are in it now. Events about deleted relayers are therefore not visible to its
 * keys.
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
