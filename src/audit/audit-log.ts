import { Injectable } from '@nestjs/common';
import { Batches } from '../common/event-loop/batches';
import { outsideRequests } from '../common/http/request-context';
import { UnitOfWork } from '../database/unit-of-work';
import { AuditAppend } from './audit-append';
import { currentCaller } from './audit-caller';
import type { AuditRecord } from './audit-chain';
import type { AuditCaller, AuditEntry } from './audit-entry';
import { actionName } from './audit-origin';
import { AuditRows } from './audit-rows';
import { ChainRegister } from './chain-register';
import { ChainTurns } from './chain-turns';

/** Callers outside of a unit of work that share a transaction. */
const MAX_TOGETHER = 256;
/** Transactions of a process that append at the same time; each has a chain of its own. */
const CHAINS = 4;

/**
 * The record of every signature, transaction and change, which nobody can alter unnoticed. In a unit of work what is
 * recorded is committed with it, or rolled back with it.
 */
@Injectable()
export class AuditLog {
  private readonly turns = new ChainTurns(CHAINS);
  private readonly together = new Batches<readonly AuditRecord[]>(MAX_TOGETHER, (lists) =>
    this.commit(lists.flat()),
  );

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: AuditRows,
    private readonly register: ChainRegister,
  ) {}

  /**
   * Records an entry. Outside of a unit of work it resolves once the row is committed, together with those of others that
   * come at the same time; inside of one at once.
   *
   * @param caller who causes it; the caller of the current request where left out
   */
  record(entry: AuditEntry, caller?: AuditCaller): Promise<void> {
    return this.recordAll([entry], caller);
  }

  /** Records entries next to each other, see {@link record}. */
  recordAll(entries: readonly AuditEntry[], caller: AuditCaller = currentCaller()): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    const records = entries.map((entry) => ({ ...caller, entry, action: actionName(entry.action) }));
    if (!this.unitOfWork.inProgress) return this.together.add(records);
    this.add(records);
    return Promise.resolve();
  }

  private commit(records: readonly AuditRecord[]): Promise<void> {
    return outsideRequests(() =>
      this.unitOfWork.run(() => {
        this.add(records);
        return Promise.resolve();
      }),
    );
  }

  private add(records: readonly AuditRecord[]): void {
    const create = (): AuditAppend => new AuditAppend(this.turns, this.rows, this.register);
    this.unitOfWork.commitHook(this, create).records.push(...records);
  }
}
