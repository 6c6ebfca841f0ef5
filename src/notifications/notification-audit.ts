import type { AuditEntry } from '../audit/audit-entry';
import { type AuditedFields, changesOf, redacted } from '../audit/changed-fields';
import type { NotificationEntity } from './notification.entity';

/** A notification, with its URL in a form that may be shown. */
export interface AuditedNotification {
  row: Readonly<Omit<NotificationEntity, 'mac'>>;
  shownUrl: string;
}

const fieldsOf = ({ row, shownUrl }: AuditedNotification): AuditedFields => ({
  type: row.type,
  url: redacted(row.url, shownUrl),
  signing_key: redacted(row.signingKey),
  events: row.events,
});

export const notificationCreated = (notification: AuditedNotification): AuditEntry => ({
  action: 'notification.create',
  changes: changesOf(notification.row.id, null, fieldsOf(notification)),
});

export const notificationUpdated = (before: AuditedNotification, after: AuditedNotification): AuditEntry => ({
  action: 'notification.update',
  changes: changesOf(after.row.id, fieldsOf(before), fieldsOf(after)),
});

/** @param notification undefined if its row was altered */
export const notificationDeleted = (
  id: string,
  notification: AuditedNotification | undefined,
): AuditEntry => ({
  action: 'notification.delete',
  changes: changesOf(id, notification ? fieldsOf(notification) : {}, null),
});
