import { type FindOperator, Raw } from 'typeorm';
import { currentReach } from '../../access/relayer-reach';

/**
 * The deliveries that the current request may see. For an API key that is limited to some relayers, those are the
 * deliveries about these relayers, and tests. A deleted relayer no longer belongs to any group. The table `relayers` is
 * named here because its module is in a higher layer.
 *
 * @returns conditions on rows of `deliveries`
 */
export function reachableDeliveries(): { relayerId?: FindOperator<string> } {
  const reach = currentReach();
  if (!reach) return {};
  const relayers = [...reach.relayers];
  const groups = [...reach.groups];
  const condition = (column: string): string =>
    [
      `(${column} IS NULL AND event = 'test')`,
      ...(relayers.length > 0 ? [`${column} IN (:...reachedRelayers)`] : []),
      ...(groups.length > 0
        ? [`${column} IN (SELECT id FROM relayers WHERE relayer_group IN (:...reachedGroups))`]
        : []),
    ].join(' OR ');
  const parameters = { reachedRelayers: relayers, reachedGroups: groups };
  return { relayerId: Raw((column) => `(${condition(column)})`, parameters) };
}
