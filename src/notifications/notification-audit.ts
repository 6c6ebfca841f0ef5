import type { AuditEntry } from '../audit/audit-entry';
import {
  type AuditedFields,
  changedFields,
  type Changes,
  changesOf,
  redacted,
} from '../audit/changed-fields';
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

/** A test event was requested. */
export const notificationTested = (id: string, deliveryId: string): AuditEntry => ({
  action: 'notification.test',
  changes: requested(id, { delivery_id: deliveryId }),
});

/** One delivery was made due again. @param relayerId the relayer that its event is about */
export const deliveryReplayed = (id: string, deliveryId: string, relayerId: string | null): AuditEntry => ({
  action: 'notification.replay',
  relayerId,
  changes: requested(id, { delivery_id: deliveryId }),
});

/** Dead deliveries were made due again. */
export const deadReplayed = (id: string, since: Date, replayed: number): AuditEntry => ({
  action: 'notification.replay',
  changes: requested(id, { since: since.toISOString(), replayed }),
});

/** What was requested of a notification that it does not change. */
const requested = (id: string, fields: AuditedFields): Changes => ({
  id: { before: id, after: id },
  ...changedFields(null, fields),
});
