import { Injectable, Logger } from '@nestjs/common';
import { OngoingAccess } from '../access/ongoing-access';
import { currentReach, outOfReach } from '../access/relayer-reach';
import { AuditLog } from '../audit/audit-log';
import { changedFields } from '../audit/changed-fields';
import { ApprovalsService } from '../approvals/approvals.service';
import { fingerprintOf } from '../approvals/fingerprint';
import { unavailable } from '../common/errors/domain-error';
import { isUniqueViolation } from '../database/drivers/driver-errors';
import { UnitOfWork } from '../database/unit-of-work';
import { FREEZE_ID, SigningFreezeEntity } from './signing-freeze.entity';
import { signingFrozen } from './signing-freeze.errors';

/** Whether signing is frozen. */
export type FreezeState = { frozen: true; reason: string; since: Date } | { frozen: false };

const ACTIVE: FreezeState = { frozen: false };
/** More than needed if two callers alternately freeze and unfreeze. */
const MAX_ATTEMPTS = 5;

/** The switch that stops all signing, on every instance, with effect from the next signature. */
@Injectable()
export class SigningFreezeService {
  private readonly logger = new Logger(SigningFreezeService.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly approvals: ApprovalsService,
    private readonly access: OngoingAccess,
  ) {}

  /** The current state. */
  async state(): Promise<FreezeState> {
    return stateOf(await this.rows.findOneBy({ id: FREEZE_ID }));
  }

  /** For code that signs without a relayer. @throws DomainError `signing_frozen` */
  async assertNotFrozen(): Promise<void> {
    const state = await this.state();
    if (state.frozen) throw signingFrozen(state.reason);
  }

  /**
   * Freezes signing. If it is already frozen, the first reason and time are kept, but pending requests to unfreeze are
   * void: their approvers did not know of the new danger.
   *
   * @returns the state, and whether this call changed it
   */
  async freeze(reason: string): Promise<{ state: FreezeState; changed: boolean }> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const since = new Date();
      if (await this.insert(reason, since)) {
        this.logger.warn('Signing frozen', { reason });
        return { state: { frozen: true, reason, since }, changed: true };
      }
      const state = await this.unitOfWork.run(() => this.freezeAgain(reason));
      // Otherwise it was unfrozen in the meantime.
      if (state.frozen) {
        this.logger.warn('Signing is frozen already', { reason });
        return { state, changed: false };
      }
    }
    throw unavailable('signing was not frozen: try again');
  }

  /**
   * Ends the freeze, for all relayers.
   *
   * @returns whether signing was frozen
   * @throws DomainError `forbidden` for a request that reaches only some relayers; ApprovalRequiredError
   */
  async unfreeze(reason: string | undefined): Promise<boolean> {
    const changed = await this.unitOfWork.run(() => this.deleteApproved(reason));
    if (changed) this.logger.warn('Signing unfrozen', { reason });
    return changed;
  }

  private async deleteApproved(reason: string | undefined): Promise<boolean> {
    const row = await this.findToChange();
    await this.access.recheck('freeze');
    if (currentReach()) throw outOfReach('every relayer, all of which would sign again');
    if (!row) return false;
    const base = fingerprintOf([row.reason, row.frozenAt, row.frozenAgain]);
    await this.approvals.require(['unfreeze'], { base });
    await this.rows.delete({ id: FREEZE_ID });
    const changes = changedFields({ frozen: true }, { frozen: false, reason });
    await this.audit.record({ action: 'signing.unfreeze', changes });
    return true;
  }

  private async freezeAgain(reason: string): Promise<FreezeState> {
    const row = await this.findToChange();
    if (!row) return ACTIVE;
    await this.access.recheckIfLate('freeze');
    const frozenAgain = row.frozenAgain + 1;
    await this.rows.update({ id: FREEZE_ID }, { frozenAgain });
    const changes = changedFields({ frozen_again: row.frozenAgain }, { frozen_again: frozenAgain, reason });
    await this.audit.record({ action: 'signing.freeze', changes });
    return stateOf(row);
  }

  private findToChange(): Promise<SigningFreezeEntity | null> {
    return this.rows.findOne({ where: { id: FREEZE_ID }, ...this.unitOfWork.lockingRows });
  }

  private async insert(reason: string, frozenAt: Date): Promise<boolean> {
    try {
      await this.unitOfWork.run(async () => {
        await this.rows.insert({ id: FREEZE_ID, reason, frozenAt });
        await this.access.recheckIfLate('freeze');
        const changes = changedFields({ frozen: false }, { frozen: true, reason });
        await this.audit.record({ action: 'signing.freeze', changes });
      });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  private get rows() {
    return this.unitOfWork.repository(SigningFreezeEntity);
  }
}

const stateOf = (row: SigningFreezeEntity | null): FreezeState =>
  row ? { frozen: true, reason: row.reason, since: row.frozenAt } : ACTIVE;
