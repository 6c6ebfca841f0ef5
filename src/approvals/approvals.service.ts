import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { currentPrincipal } from '../access/principal';
import type { AppConfig } from '../config/app-config';
import type { ApprovalKind, NeededApprovals } from '../config/approvals-format';
import { approvedChange } from './approved-change';
import { ChangeRows, type IdempotentRequest, type NamedOperation, type SubmittedChange } from './change-rows';
import { ApprovalRequiredError, type ChangeSubject, notRequested } from './change.errors';
import { PendingChangeResponse, toPendingChangeResponse } from './dto/pending-change.response';

/**
 * Decides which changes require approval. Code that makes a change calls {@link require} in the unit of work of the
 * change, for the row that is locked there, so that nothing can happen between the decision and the change. Commands and
 * the configuration file are for operators of the server and need no approval: they do not execute operations.
 */
@Injectable()
export class ApprovalsService implements OnApplicationBootstrap {
  private readonly logger = new Logger(ApprovalsService.name);
  private readonly needed: NeededApprovals;

  constructor(
    private readonly rows: ChangeRows,
    config: ConfigService<AppConfig, true>,
  ) {
    this.needed = config.get('approvals', { infer: true }).needed;
  }

  onApplicationBootstrap(): void {
    // `transaction` has a default.
    const isConfigured = Object.keys(this.needed).some((kind) => kind !== 'transaction');
    if (isConfigured && this.needed.api_key_scope === undefined)
      this.logger.warn(
        'APPROVALS lacks api_key_scope: anyone who may create API keys can create one that approves',
      );
  }

  /**
   * Executes a request, or stores it as a pending change if it requires approval.
   *
   * @param submitted called only if the request is stored
   * @param work must throw the errors of {@link require} and {@link check}
   * @throws DomainError `approval_required` if it requires approval and no client has requested it, so that nobody would
   * be the requester
   */
  async submit<T>(
    operation: NamedOperation,
    submitted: () => SubmittedChange,
    work: () => Promise<T>,
  ): Promise<T | PendingChangeResponse> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApprovalRequiredError)) throw error;
      if (!currentPrincipal()) throw notRequested(error);
      return toPendingChangeResponse(await this.rows.create(operation, submitted(), error));
    }
  }

  /** Whether {@link require} must be called for a change of these kinds. The call may cost a statement. */
  concerns(kinds: readonly ApprovalKind[]): boolean {
    return this.applying !== undefined || this.numberFor(kinds) > 0;
  }

  /** The id of the approved change that the current call applies. */
  get applying(): string | undefined {
    return approvedChange()?.id;
  }

  /**
   * Must be called for a request that requires no approval, because its idempotency key may already belong to a pending
   * change.
   *
   * @throws DomainError `idempotency_conflict` if that change has a different body
   */
  async assertSameRequest(relayerId: string, idempotency: IdempotentRequest): Promise<void> {
    await this.rows.findRepeated(relayerId, idempotency);
  }

  /**
   * Like {@link require}, for use before a unit of work begins. Does nothing for an approved change.
   *
   * @throws ApprovalRequiredError
   */
  check(kinds: readonly ApprovalKind[], subject: ChangeSubject): void {
    if (this.applying !== undefined) return;
    const needed = this.numberFor(kinds);
    const [first, ...others] = kinds
      .filter((kind) => this.needed[kind] !== undefined)
      .sort((a, b) => (this.needed[b] ?? 0) - (this.needed[a] ?? 0));
    if (first !== undefined) throw new ApprovalRequiredError([first, ...others], needed, subject);
  }

  /**
   * Must be called in the unit of work that makes a change, for the rows that are locked there. An approved change is
   * marked as applied in the same unit of work.
   *
   * @param kinds the kinds of the change; none if it requires no approval
   * @throws ApprovalRequiredError if it requires approval
   * @throws DomainError `change_conflict` if it was approved for a different state, `change_not_pending`
   */
  async require(kinds: readonly ApprovalKind[], subject: ChangeSubject): Promise<void> {
    const approved = approvedChange();
    if (approved) await this.rows.apply(approved, subject, this.numberFor(kinds));
    else this.check(kinds, subject);
  }

  /**
   * Withdraws what a key has approved, and rejects the changes that it has requested. Must be called in the unit of work
   * that makes its secret invalid at once, because the secret may have leaked.
   */
  async withdrawAll(keyId: string): Promise<void> {
    // The client of the current request is that of the last approver if an approved change is being applied.
    const by = approvedChange()?.approvedBy ?? currentPrincipal()?.id ?? null;
    for await (const change of this.rows.pendingOf(keyId)) {
      if (change.requestedBy === keyId) await this.rows.finish(change, 'rejected', by);
      else if (change.approvals.some(({ key_id }) => key_id === keyId))
        await this.rows.withdrawApproval(change, keyId);
    }
  }

  private numberFor(kinds: readonly ApprovalKind[]): number {
    return Math.max(0, ...kinds.map((kind) => this.needed[kind] ?? 0));
  }
}
