import { hasScope } from '../access/principal';
import type { Principals } from '../access/principals';
import type { ChangeEntity } from './change.entity';
import { isVisible } from './visible-changes';

/**
 * Counts the approvals of principals that could still approve a change: the approval of a key that was revoked, or
 * narrowed, does not count.
 */
export async function countValidApprovals(change: ChangeEntity, principals: Principals): Promise<number> {
  let count = 0;
  for (const { key_id } of change.approvals) {
    const approver = await principals.find(key_id);
    if (approver && hasScope(approver, 'approve') && isVisible(change, approver)) count += 1;
  }
  return count;
}
