import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { currentPrincipal } from '../access/principal';
import type { AppConfig } from '../config/app-config';
import type { ApprovalKind, NeededApprovals } from '../config/approvals-format';
import { approvedChange } from './approved-change';
import { ChangeRows, type IdempotentRequest, type SubmittedChange } from './change-rows';
import { ApprovalRequiredError, type ChangeSubject } from './change.errors';
import { PendingChangeResponse, toPendingChangeResponse } from './dto/pending-change.response';

/**
 * Decides which changes need the approval of others. Whoever makes a change calls {@link require} in its unit of work, on the row
 * that is locked there; so nothing comes between the decision and the change. Only requests need approval: commands and
 * the configuration file are for those who have the server.
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
        'APPROVALS lacks api_key_scope: whoever may create API keys can create the one that approves',
      );
  }

  /**
   * Does what a request asks for, or stores it as a pending change where it needs approval.
   *
   * @param operation its name
   * @param submitted called only then
   * @param work must throw what {@link require} and {@link check} throw
   */
  async submit<T>(
    operation: string,
    submitted: () => SubmittedChange,
    work: () => Promise<T>,
  ): Promise<T | PendingChangeResponse> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApprovalRequiredError)) throw error;
      return toPendingChangeResponse(await this.rows.create(operation, submitted(), error));
    }
  }

  /** Whether a change of these kinds has to call {@link require}; without any that is free of cost. */
  concerns(kinds: readonly ApprovalKind[]): boolean {
    return this.applying !== undefined || this.numberFor(kinds) > 0;
  }

  /** The id of the change that the current call applies, which others have approved. */
  get applying(): string | undefined {
    return approvedChange()?.id;
  }

  /**
   * For a request that need not wait: its idempotency key may belong to one that waits.
   *
   * @throws DomainError `idempotency_conflict` where that has another body
   */
  async assertSameRequest(relayerId: string, idempotency: IdempotentRequest): Promise<void> {
    await this.rows.findRepeated(relayerId, idempotency);
  }

  /**
   * As {@link require} for what is not a unit of work yet: does nothing for a change that others have approved.
   *
   * @throws ApprovalRequiredError
   */
  check(kinds: readonly ApprovalKind[], subject: ChangeSubject): void {
    if (this.applying !== undefined || !currentPrincipal()) return;
    const needed = this.numberFor(kinds);
    const [first, ...others] = kinds
      .filter((kind) => this.needed[kind] !== undefined)
      .sort((a, b) => (this.needed[b] ?? 0) - (this.needed[a] ?? 0));
    if (first !== undefined) throw new ApprovalRequiredError([first, ...others], needed, subject);
  }

  /**
   * To be called in the unit of work that makes a change, on what it has locked. A change that others have approved is marked as
   * applied there.
   *
   * @param kinds of the change; none where it needs no approval
   * @throws ApprovalRequiredError where it needs approval
   * @throws DomainError `change_conflict` where it was approved for another state, `change_not_pending`
   */
  async require(kinds: readonly ApprovalKind[], subject: ChangeSubject): Promise<void> {
    const approved = approvedChange();
    if (approved) await this.rows.apply(approved, subject, this.numberFor(kinds));
    else this.check(kinds, subject);
  }

  private numberFor(kinds: readonly ApprovalKind[]): number {
    return Math.max(0, ...kinds.map((kind) => this.needed[kind] ?? 0));
  }
}
