import { type FindOperator, Raw, type Repository } from 'typeorm';
import { currentReach, outOfReach } from '../../access/relayer-reach';
import type { RelayerReach } from '../../access/principal';
import { reachedRelayers } from '../../access/reached-relayers';
import type { ListCursor } from '../../common/pagination/list-cursor';
import { type SparsePart, SparsePages } from '../../database/sparse-pages';
import type { UnitOfWork } from '../../database/unit-of-work';
import { ALWAYS } from '../events/notification-event';
import type { DeliveryEntity } from './delivery.entity';
import { isReceiverReachable, type TestableNotification } from './reachable-receiver';
import { deliveryList, type ReachedDeliveries } from './reached-deliveries';

/** Conditions on rows of `deliveries`. */
export interface ReachableDeliveries {
  notificationId: string;
  relayerId?: FindOperator<string>;
}

/**
 * The deliveries that the current request may see. For an API key that is limited to some relayers, those are the
 * deliveries about these relayers, and tests of receivers within its reach. A deleted relayer no longer belongs to any
 * group. The table `relayers` is named here because its module is in a higher layer.
 */
export async function reachableDeliveries(
  unitOfWork: UnitOfWork,
  notification: TestableNotification,
): Promise<ReachableDeliveries> {
  const { id: notificationId } = notification;
  const reached = await reachedDeliveries(unitOfWork, notification);
  return { notificationId, ...(reached && { relayerId: reached.condition }) };
}

/** What a limited API key reaches, see {@link reachableDeliveries}; undefined if the request reaches everything. */
export async function reachedDeliveries(
  unitOfWork: UnitOfWork,
  notification: TestableNotification,
): Promise<ReachedDeliveries | undefined> {
  const reach = currentReach();
  if (!reach) return undefined;
  const { ids, groups } = await reachedRelayers(unitOfWork, reach);
  const includesTests = await isReceiverReachable(unitOfWork.manager, notification);
  const known = { relayers: new Set(ids), groups: new Set(groups) };
  const condition = (column: string): string =>
    includesTests
      ? `((${column} IS NULL AND event = 'test') OR ${reached(column, known)})`
      : reached(column, known);
  return {
    relayers: groups.length > 0 ? undefined : ids,
    includesTests,
    condition: Raw(condition, parametersOf(known)) as FindOperator<string>,
  };
}

/**
 * The deletion of a notification or a change of its receiver determines what becomes of the deliveries that wait for
 * it, or have failed for good, even if their relayer no longer uses it, or was deleted: then it is in the group that it
 * had. Reports about the notification itself, and tests, do not count.
 *
 * @throws DomainError `forbidden` if the current request does not reach all of them
 */
export async function assertReachesWaiting(
  deliveries: Repository<DeliveryEntity>,
  notificationId: string,
): Promise<void> {
  const reach = currentReach();
  if (!reach) return;
  const condition = (column: string): string =>
    `((${column} IS NULL AND event NOT IN (:...sentToAll)) OR (NOT ${reached(column, reach)} AND ` +
    `(${valueOf(column)} IN (SELECT id FROM relayers) OR ${valueOf(column)} IN (${formerOutside(reach)}))))`;
  const parameters = { ...parametersOf(reach), sentToAll: [...ALWAYS] };
  const isUnreachable = Raw(condition, parameters) as FindOperator<string>;
  const searched = (['pending', 'dead'] as const).map((state) => ({
    part: { notificationId, state },
    shown: { relayerId: isUnreachable },
  }));
  const pages = new SparsePages(deliveryList(() => deliveries, 'ASC'));
  for (let from: ListCursor | null | undefined = null; from !== undefined;) {
    const part: SparsePart = await pages.part({ searched }, from, 1);
    if (part.positions.length > 0)
      throw outOfReach(`everything that waits to be delivered to notification '${notificationId}'`);
    from = part.end;
  }
}

/** An SQL query for the ids of deleted relayers that were in none of the groups. */
const formerOutside = ({ groups }: RelayerReach): string =>
  'SELECT relayer_id FROM former_accounts' +
  (groups.size > 0 ? " WHERE COALESCE(relayer_group, '') NOT IN (:...reachedGroups)" : '');

/** An SQL condition on the id of a relayer; false for null. */
function reached(column: string, { relayers, groups }: RelayerReach): string {
  const value = valueOf(column);
  const parts = [
    ...(relayers.size > 0 ? [`${value} IN (:...reachedRelayers)`] : []),
    ...(groups.size > 0
      ? [`${value} IN (SELECT id FROM relayers WHERE relayer_group IN (:...reachedGroups))`]
      : []),
  ];
  return parts.length > 0 ? `(${parts.join(' OR ')})` : '(1 = 0)';
}

/** An expression, so that a database does not choose the index of relayers, and with it all of their deliveries. */
const valueOf = (column: string): string => `COALESCE(${column}, '')`;

const parametersOf = ({ relayers, groups }: RelayerReach): object => ({
  reachedRelayers: [...relayers],
  reachedGroups: [...groups],
});
