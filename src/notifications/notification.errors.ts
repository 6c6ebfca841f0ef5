import { DomainError } from '../common/errors/domain-error';

export const notificationNotFound = (): DomainError =>
  new DomainError('notification_not_found', 'Notification not found');

export const notificationExists = (): DomainError =>
  new DomainError('notification_exists', 'Notification with this ID already exists');
