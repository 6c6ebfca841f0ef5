import type { EntityManager } from 'typeorm';
import { currentReach, isReachable, outOfReach } from '../../access/relayer-reach';
import { everyDependent, hasDependents } from '../../database/references';
import { subscribedEvent } from '../events/notification-event';
import type { NotificationEntity } from '../notification.entity';

/** The properties of a notification that decide who may test it. */
export type TestableNotification = Pick<NotificationEntity, 'id' | 'events'>;

/**
 * Whether the current request may see what a receiver responds to tests. An API key that is limited to some relayers
 * sees that of the receivers of these relayers, whose responses to their events it sees as well, and of receivers that
 * no relayer uses, unless they get events regardless of the relayer.
 */
export async function isReceiverReachable(
  manager: EntityManager,
  { id, events }: TestableNotification,
): Promise<boolean> {
  if (!currentReach()) return true;
  const users = { notification_id: id };
  if (!(await hasDependents(manager, users))) return subscribedEvent(events) === undefined;
  return !(await everyDependent(manager, users, (relayer) => !isReachable(relayer)));
}

/** @throws DomainError `forbidden` unless {@link isReceiverReachable} */
export async function assertReceiverReachable(
  manager: EntityManager,
  notification: TestableNotification,
): Promise<void> {
  if (!(await isReceiverReachable(manager, notification)))
    throw outOfReach(`what notification '${notification.id}' is about`);
}
