import { Injectable } from '@nestjs/common';
import { Batches } from '../common/event-loop/batches';
import { outsideRequests } from '../common/http/request-context';
import { inSpan } from '../common/tracing/spans';
import { OneTripTransactions } from '../database/one-trip-transactions';
import { UnitOfWork } from '../database/unit-of-work';
import { AuditAppend } from './audit-append';
import { currentCaller } from './audit-caller';
import type { AuditRecord } from './audit-chain';
import type { AuditCaller, AuditEntry } from './audit-entry';
import { actionName } from './audit-origin';
import { AuditRows, headAfter } from './audit-rows';
import { ChainRegister } from './chain-register';
import { ChainTurns } from './chain-turns';

/** The maximum number of callers outside of a unit of work that share a transaction. */
const MAX_TOGETHER = 256;
/** The statements of a transaction that is committed in one trip: an insert, and the move of the chain's head. */
const MOST_TOGETHER = 2;
/** The number of transactions of a process that can append at the same time, each to a chain of its own. */
const CHAINS = 4;

/**
 * The record of every signature, transaction and change, protected against alterations. In a unit of work, entries are
 * committed or rolled back with it.
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
    private readonly oneTrip: OneTripTransactions,
  ) {}

  /**
   * Records an entry. Outside of a unit of work, it resolves once the row is committed, together with concurrent
   * entries; inside one, it resolves immediately.
   *
   * @param caller by default, the caller of the current request
   */
  record(entry: AuditEntry, caller?: AuditCaller): Promise<void> {
    return this.recordAll([entry], caller);
  }

  /** Records entries as consecutive rows, see {@link record}. */
  recordAll(entries: readonly AuditEntry[], caller: AuditCaller = currentCaller()): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    const { keyId, requestId, clientIp, approvedChange } = caller;
    // Does not use spread syntax, see docs/adr/0019.
    const records = entries.map((each) => {
      const action = actionName(each.action);
      const entry = approvedChange === undefined ? each : ofChange(approvedChange, each);
      return { keyId, requestId, clientIp, entry, action };
    });
    if (!this.unitOfWork.inProgress)
      return inSpan('record audit events', {}, () => this.together.add(records));
    this.add(records);
    return Promise.resolve();
  }

  private commit(records: readonly AuditRecord[]): Promise<void> {
    return outsideRequests(async () => {
      if (await this.committedInOneTrip(records)) return;
      await this.unitOfWork.run(() => {
        this.add(records);
        return Promise.resolve();
      });
    });
  }

  /** @returns false if nothing was committed and a unit of work is needed, which can also begin a new chain */
  private async committedInOneTrip(records: readonly AuditRecord[]): Promise<boolean> {
    if (!this.oneTrip.isPossible) return false;
    const slot = await this.turns.take();
    const { chain } = slot;
    const now = new Date();
    try {
      if (!chain?.head || !chain.isOf(now)) return false;
      const rows = chain.rowsOf(records, now);
      const statements = this.rows.statementsOf(chain, chain.head, rows);
      // Rows that one statement cannot hold are too long to be sent together as well.
      if (statements.length > MOST_TOGETHER) return false;
      // Until the transaction is committed, the head of the chain is unknown.
      slot.chain = undefined;
      const isCommitted = await this.oneTrip.commit(statements);
      if (isCommitted) chain.head = headAfter(rows);
      slot.chain = chain;
      return isCommitted;
    } finally {
      this.turns.give(slot);
    }
  }

  private add(records: readonly AuditRecord[]): void {
    const create = (): AuditAppend =>
      new AuditAppend(this.turns, this.rows, this.register, !this.unitOfWork.locksRows);
    this.unitOfWork.commitHook(this, create).records.push(...records);
  }
}

/** An entry that names the approved change that caused it. */
const ofChange = (id: string, entry: AuditEntry): AuditEntry => ({
  ...entry,
  changes: { ...entry.changes, approved_change: { before: null, after: id } },
});
