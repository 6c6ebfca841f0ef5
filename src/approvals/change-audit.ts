import type { AuditAction } from '../audit/audit-action';
import type { AuditEntry } from '../audit/audit-entry';
import { type AuditedFields, changesOf } from '../audit/changed-fields';
import type { ChangeEntity, ChangeStatus } from './change.entity';

type Change = Readonly<Omit<ChangeEntity, 'mac'>>;

/** What the audit log calls the end of a change, by its final status. */
export const ACTIONS = {
  applied: 'change.apply',
  // The change was approved, but could not be applied.
  failed: 'change.apply',
  rejected: 'change.reject',
  expired: 'change.expire',
} as const satisfies Record<Exclude<ChangeStatus, 'pending'>, AuditAction>;

const fieldsOf = (change: Change): AuditedFields => ({
  status: change.status,
  operation: change.operation,
  kinds: change.kinds,
  requested_by: change.requestedBy,
  needed: change.needed,
  approvals: change.approvals.map(({ key_id }) => key_id),
});

/**
 * The entry of what has become of a change.
 *
 * @param action one of {@link ACTIONS}; `change.approve`; `change.withdraw` if the approvals of a key were withdrawn
 */
export const changeEntry = (action: AuditAction, before: Change, after: Change): AuditEntry => ({
  action,
  relayerId: after.relayerId,
  code: after.code,
  changes: changesOf(after.id, fieldsOf(before), fieldsOf(after)),
});

/** @param request what the audit log shows of the request */
export const changeRequested = (change: Change, request: object): AuditEntry => ({
  action: 'change.request',
  relayerId: change.relayerId,
  changes: changesOf(change.id, null, { ...fieldsOf(change), request }),
});
