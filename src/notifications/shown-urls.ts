import type { EntityManager } from 'typeorm';
import { currentReach, reachCondition } from '../access/relayer-reach';
import { notificationsUsedOnlyBy } from '../database/references';
import { subscribedEvent } from './events/notification-event';
import type { NotificationEntity } from './notification.entity';

/**
 * The ids of the notifications whose whole URL the current request may see, because many URLs contain a token. An API
 * key that is limited to some relayers sees the URLs of notifications that are in use and that it may change: it reaches
 * all relayers that use them, and they get no events regardless of the relayer. One statement, however many they are.
 *
 * @returns undefined for all of them
 */
export async function idsWithShownUrl(
  manager: EntityManager,
  notifications: readonly Pick<NotificationEntity, 'id' | 'events'>[],
): Promise<ReadonlySet<string> | undefined> {
  const reach = currentReach();
  if (!reach) return undefined;
  const own = notifications.filter(({ events }) => subscribedEvent(events) === undefined).map(({ id }) => id);
  return notificationsUsedOnlyBy(manager, own, reachCondition(reach));
}
