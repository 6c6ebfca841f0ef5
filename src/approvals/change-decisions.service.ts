import { Injectable } from '@nestjs/common';
import { OngoingAccess } from '../access/ongoing-access';
import { currentPrincipal, hasScope, type Principal } from '../access/principal';
import { Principals } from '../access/principals';
import { DomainError } from '../common/errors/domain-error';
import { ERROR_POLICIES, type ErrorCode } from '../common/errors/error-codes';
import { orOn } from '../common/errors/or-on';
import { UnitOfWork } from '../database/unit-of-work';
import { applyAs, type ApprovedChange } from './approved-change';
import { Approvers } from './approvers';
import { ChangeOperations } from './change-operations';
import { ChangeRows } from './change-rows';
import { type ChangeEntity, statusOf } from './change.entity';
import {
  alreadyApproved,
  changeConflict,
  changeNotFound,
  changeNotPending,
  ownChange,
} from './change.errors';
import { isVisible } from './visible-changes';

/** Approves and rejects changes, and applies those that have enough approvals. */
@Injectable()
export class ChangeDecisionsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: ChangeRows,
    private readonly operations: ChangeOperations,
    private readonly principals: Principals,
    private readonly approvers: Approvers,
    private readonly access: OngoingAccess,
  ) {}

  /**
   * Approves a change, and applies it if that was the last approval required. If a change has enough approvals but was
   * not applied, because the instance stopped in between, any of its approvers may approve it again.
   *
   * @throws DomainError `change_not_found`, `change_not_pending`, `change_already_approved`, `change_conflict`,
   * `unauthorized`, `forbidden` for the requester, and for a principal that does not reach all relayers that the change concerns
   */
  async approve(id: string, approver: Principal): Promise<Readonly<ChangeEntity>> {
    await this.prepare(id, approver);
    const { change, isRepeated } = await this.unitOfWork.run(() => this.addApproval(id));
    const approvals = await this.approvers.countValid(change);
    if (approvals >= change.needed) return this.apply(change, approver);
    if (isRepeated) throw alreadyApproved();
    return change;
  }

  /**
   * Rejects a change permanently. Its requester can withdraw it in the same way.
   *
   * @throws DomainError `change_not_found`, `change_not_pending`; `unauthorized`, `forbidden` if the key of the principal
   * has changed meanwhile
   */
  reject(id: string, principal: Principal): Promise<Readonly<ChangeEntity>> {
    return this.unitOfWork.run(async () => {
      const { change } = await this.lockPending(id);
      return this.rows.finish(change, 'rejected', principal.id);
    });
  }

  /**
   * Opens what the decision depends on, such as a signer, whose key service must not be called in a unit of work. What is
   * not allowed is refused there.
   */
  private async prepare(id: string, approver: Principal): Promise<void> {
    await orOn(DomainError, undefined, async () => {
      const change = await this.rows.find(id);
      const isPending = change && isVisible(change, approver) && statusOf(change) === 'pending';
      if (isPending) await this.approvers.assertReach(change, approver);
    });
  }

  private async addApproval(id: string): Promise<{ change: ChangeEntity; isRepeated: boolean }> {
    const { change, principal: approver } = await this.lockPending(id);
    if (change.requestedBy === approver.id) throw ownChange();
    await this.approvers.assertReach(change, approver);
    if (change.approvals.some(({ key_id }) => key_id === approver.id)) return { change, isRepeated: true };
    return { change: await this.rows.approve(change, approver.id), isRepeated: false };
  }

  /** @returns the change, and the principal with its current rights */
  private async lockPending(id: string): Promise<{ change: ChangeEntity; principal: Principal }> {
    const change = await this.rows.findToChange(id);
    // A rotation that makes the secret invalid withdraws only approvals that were given before it.
    await this.access.recheck('approve');
    const principal = currentPrincipal();
    if (!change || !principal || !isVisible(change, principal)) throw changeNotFound(id);
    const status = statusOf(change);
    if (status !== 'pending') throw changeNotPending(status);
    return { change, principal };
  }

  private async apply(change: ChangeEntity, approver: Principal): Promise<Readonly<ChangeEntity>> {
    try {
      if (!(await this.run(change, approver))) throw changeConflict('nothing is left to be changed');
    } catch (error) {
      return this.settle(change.id, approver, error);
    }
    return this.getOrThrow(change.id);
  }

  /** Executes the request with the current rights of its requester. @returns whether the change was applied */
  private async run(change: ChangeEntity, approver: Principal): Promise<boolean> {
    const requester = await this.principals.find(change.requestedBy);
    if (!requester) throw changeConflict('the API key that requested the change is no longer valid');
    const operation = this.operations.find(change.operation);
    if (!operation) throw changeConflict(`this version of the service knows no ${change.operation}`);
    const scope = operation.scopes.find((one) => hasScope(requester, one));
    if (!scope)
      throw changeConflict(
        `the API key that requested the change lacks ${operation.scopes.join(' or ')} now`,
      );
    const secrets = this.rows.secretsOf(change);
    const approved: ApprovedChange = { id: change.id, approvedBy: approver.id, scope, isApplied: false };
    await applyAs(requester, approved, () => operation.apply(change.request, secrets));
    return approved.isApplied;
  }

  /**
   * Ends a change that could not be applied. It stays pending if the cause is the service, something it depends on, or
   * a temporary state of the relayer; any of its approvers may then approve it again.
   */
  private async settle(id: string, approver: Principal, error: unknown): Promise<Readonly<ChangeEntity>> {
    const change = await this.getOrThrow(id);
    // A concurrent approval has applied it, or something failed after it had been applied.
    if (change.status === 'applied') return change;
    // A key of an approver was revoked while the change was being applied.
    if ((await this.approvers.countValid(change)) < change.needed) return change;
    if (!(error instanceof DomainError) || !isFinal(error)) throw error;
    await this.unitOfWork.run(async () => {
      const locked = await this.rows.findToChange(id);
      if (locked?.status === 'pending') await this.rows.finish(locked, 'failed', approver.id, error.code);
    });
    throw error.code === 'change_conflict' ? error : changeConflict(error.detail);
  }

  private async getOrThrow(id: string): Promise<Readonly<ChangeEntity>> {
    const change = await this.rows.find(id);
    if (!change) throw changeNotFound(id);
    return change;
  }
}

const TOO_MANY_REQUESTS = 429;
/** Temporary states, after which the approvals are still valid. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(['relayer_paused', 'relayer_disabled', 'signing_frozen']);

function isFinal({ code }: DomainError): boolean {
  if (TEMPORARY.has(code)) return false;
  const status: number = ERROR_POLICIES[code].status;
  return status < TOO_MANY_REQUESTS;
}
