import { Injectable } from '@nestjs/common';
import { asPrincipal, hasScope, type Principal } from '../access/principal';
import { Principals } from '../access/principals';
import { DomainError } from '../common/errors/domain-error';
import { ChangeOperations } from './change-operations';
import type { ChangeEntity } from './change.entity';
import { isVisible } from './visible-changes';

/** Who may approve a change. */
@Injectable()
export class Approvers {
  constructor(
    private readonly principals: Principals,
    private readonly operations: ChangeOperations,
  ) {}

  /**
   * Asserts that a principal who sees a change also reaches the other relayers that it concerns, as its requester must.
   *
   * @throws DomainError `forbidden`
   */
  async assertReach(change: ChangeEntity, approver: Principal): Promise<void> {
    if (!approver.reach) return;
    // A version of the service that does not know the operation does not apply the change either.
    await asPrincipal(approver, () => this.operations.find(change.operation)?.assertReach(change.request));
  }

  /**
   * Counts the approvals of principals that could still approve a change: the approval of a key that was revoked, or
   * narrowed, does not count.
   */
  async countValid(change: ChangeEntity): Promise<number> {
    let count = 0;
    for (const { key_id } of change.approvals) {
      const approver = await this.principals.find(key_id);
      if (approver && (await this.mayApprove(change, approver))) count += 1;
    }
    return count;
  }

  private async mayApprove(change: ChangeEntity, approver: Principal): Promise<boolean> {
    if (!hasScope(approver, 'approve') || !isVisible(change, approver)) return false;
    try {
      await this.assertReach(change, approver);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'forbidden') return false;
      throw error;
    }
  }
}
