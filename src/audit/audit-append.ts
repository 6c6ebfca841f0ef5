import type { CommitHook } from '../database/unit-of-work-context';
import type { AuditChain, AuditRecord, ChainHead } from './audit-chain';
import type { AuditRows } from './audit-rows';
import type { ChainRegister } from './chain-register';
import type { ChainSlot, ChainTurns } from './chain-turns';

interface Written {
  chain: AuditChain;
  head: ChainHead;
}

/**
 * Appends the audit entries of one transaction, as the last rows that it writes. A transaction takes its turn only
 * then, and from then on waits only for the database, so transactions cannot deadlock on turns. If transactions run one
 * after the other, the turn ends as soon as the rows are written: several transactions may share a commit, and the next
 * one builds on the head of this one, so either both are committed or neither is.
 */
export class AuditAppend implements CommitHook {
  readonly records: AuditRecord[] = [];
  private slot: ChainSlot | undefined;
  private written: Written | undefined;

  constructor(
    private readonly turns: ChainTurns,
    private readonly rows: AuditRows,
    private readonly register: ChainRegister,
    private readonly isSerial: boolean,
  ) {}

  async beforeCommit(): Promise<void> {
    if (this.records.length === 0) return;
    const slot = (this.slot = await this.turns.take());
    const now = new Date();
    const known = slot.chain;
    // Until the transaction is committed, the head of the chain is unknown.
    slot.chain = undefined;
    const chain = known?.isOf(now) ? known : await this.register.begin(now);
    const head = await this.rows.append(chain, chain.rowsOf(this.records, now));
    this.written = { chain, head };
    if (this.isSerial) this.give(slot, this.written);
  }

  /**
   * If it is unknown whether the transaction was committed, the next one begins a new chain; both chains can be
   * verified.
   */
  ended(isCommitted: boolean): void {
    const { slot, written } = this;
    if (!slot) return;
    if (this.isSerial && written) {
      if (!isCommitted && slot.chain === written.chain) slot.chain = undefined;
    } else this.give(slot, isCommitted ? written : undefined);
  }

  private give(slot: ChainSlot, written: Written | undefined): void {
    if (written) {
      written.chain.head = written.head;
      slot.chain = written.chain;
    }
    this.turns.give(slot);
  }
}
