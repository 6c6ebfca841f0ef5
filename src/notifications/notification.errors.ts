import { DomainError } from '../common/errors/domain-error';

export const notificationNotFound = (): DomainError =>
  new DomainError('notification_not_found', 'Notification not found');

/** @param dependents as returned by `describeDependents` */
export const notificationInUse = (id: string, dependents: string): DomainError =>
  new DomainError(
    'notification_in_use',
    'Notification is in use',
    `Notification '${id}' is used by ${dependents}`,
  );

export const notificationExists = (): DomainError =>
  new DomainError('notification_exists', 'Notification with this ID already exists');

/** @param max the maximum number of such notifications */
export const tooManySubscribers = (max: number): DomainError =>
  new DomainError(
    'too_many_subscribers',
    'Too many notifications name events of all relayers',
    `events: at most ${max} notifications may name signer_deleted, change_update or events of plugins`,
  );

export const deliveryNotFound = (): DomainError =>
  new DomainError('delivery_not_found', 'Delivery not found');
