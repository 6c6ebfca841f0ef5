import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, Raw, type Repository } from 'typeorm';
import { getOrCreate } from '../common/get-or-create';
import { affectedRows } from '../database/affected-rows';
import { type FoundRows, ProtectedRows, type RowQuery } from '../database/integrity/protected-rows';
import { RowColumns } from '../database/integrity/row-columns';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { placeholders } from '../database/placeholders';
import { statementParts } from '../database/statement-parts';
import { UnitOfWork } from '../database/unit-of-work';
import { TransactionAttemptEntity } from './transaction-attempt.entity';
import { TransactionEvents } from './transaction-events';
import { TransactionMetrics } from './transaction.metrics';
import { isFinal, isLegal } from './transaction-status';
import { recordStage } from './transaction-trace';
import { TRANSACTION_PROTECTION, TransactionEntity } from './transaction.entity';

/** SQLite limits the number of values in a statement. */
const ROWS_PER_STATEMENT = 100;
/** Properties that the MAC covers and changes set. A final status sets `finishedAt`, and no other does. */
const COVERED: ReadonlySet<string> = new Set(
  Object.entries(TRANSACTION_PROTECTION.columns).flatMap(([property, kind]) =>
    kind === 'unprotected' ? [] : [property],
  ),
);
/** Properties that any change may set. */
const CHANGED_ALWAYS = ['status', 'version', 'eventAt', 'openRelayerId', 'finishedAt'];

/**
 * Transactions whose nonce was taken away have nonces below this one. {@link TransactionRows.renumber} briefly uses the
 * negative nonces above it.
 */
const FREED = -(2 ** 52);

/** The columns that change with the nonce. */
const MOVED = ['nonce', 'statusReason', 'version', 'eventAt', 'mac'];

/** The columns that may change in an open transaction without a lock; see {@link TransactionRows.changeProtected}. */
export type TransactionChanges = Partial<
  Omit<
    TransactionEntity,
    'id' | 'mac' | 'version' | 'accountId' | 'relayerId' | 'nonce' | 'request' | 'sender'
  >
>;

/** A change to store together with others, which may be those of other relayers. */
export interface Decision {
  row: TransactionEntity;
  changes: TransactionChanges;
  audience: Audience;
}

/** A transaction that is assigned another nonce. */
export interface Move {
  row: TransactionEntity;
  nonce: number;
  statusReason: string;
}

/** An attempt without its bytes: those of a hundred attempts may take as many MiB. */
export type ShownAttempt = Omit<TransactionAttemptEntity, 'raw' | 'transaction'>;

const SHOWN: Readonly<Record<keyof ShownAttempt, true>> = {
  transactionId: true,
  number: true,
  kind: true,
  nonce: true,
  hash: true,
  content: true,
  acknowledgedAt: true,
  createdAt: true,
};

/** New transactions of a relayer. */
export interface NewTransactions {
  rows: readonly Omit<TransactionEntity, 'mac'>[];
  audience: Audience;
}

/** The relayer whose notification receives the changes of a transaction. */
export interface Audience {
  /** The notification of the relayer. */
  notificationId: string | null;
}

/** A transaction before and after a change that is an event. */
interface Recorded {
  before: TransactionEntity;
  after: TransactionEntity;
  audience: Audience;
}

/**
 * The rows of transactions. Every change requires that the row has not changed since it was read, and that the
 * transition of its status is legal.
 */
@Injectable()
export class TransactionRows {
  private readonly rows: ProtectedRows<TransactionEntity>;
  private known: RowColumns<TransactionEntity> | undefined;
  private attemptColumns: RowColumns<TransactionAttemptEntity> | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly events: TransactionEvents,
    private readonly metrics: TransactionMetrics,
    integrity: RowIntegrity,
  ) {
    this.rows = new ProtectedRows(unitOfWork, integrity, TransactionEntity);
  }

  /** Stores new transactions with their first event. Must be called in a unit of work. */
  async insert(groups: readonly NewTransactions[]): Promise<void> {
    const at = new Date();
    const complete = groups.map(({ rows, audience }) => ({
      rows: rows.map((row) => ({ ...row, eventAt: at })),
      audience,
    }));
    const all = complete.flatMap(({ rows }) => rows);
    for (const part of statementParts(all, ROWS_PER_STATEMENT, lengthOf)) await this.rows.insertAll(part);
    for (const { rows, audience } of complete) await this.record(rows, audience);
    this.unitOfWork.afterCommit(() => {
      for (const row of all) this.metrics.countStatus(row, 'pending');
    });
  }

  /** @throws RowAlteredError */
  findOneBy(where: FindOptionsWhere<TransactionEntity>): Promise<TransactionEntity | null> {
    return this.rows.findOneBy(where);
  }

  /** Reads a transaction to change it, locked until the end of the unit of work. @throws RowAlteredError */
  findToChange(id: string): Promise<TransactionEntity | null> {
    return this.rows.findToChange(id);
  }

  /** The transactions that can be used, and the ids of altered ones. */
  findIntact(query: RowQuery<TransactionEntity>): Promise<FoundRows<TransactionEntity>> {
    return this.rows.findIntact(query);
  }

  /** @throws RowAlteredError if any was altered */
  find(query: RowQuery<TransactionEntity>): Promise<TransactionEntity[]> {
    return this.rows.find(query);
  }

  /**
   * Changes a transaction, unless it has changed since it was read. Must be called in a unit of work, because a change
   * of status is an event that is recorded with it.
   *
   * @param announce whether to record an event even if the status stays the same
   * @returns the row afterwards; null if it has been changed meanwhile
   */
  async change(
    row: TransactionEntity,
    changes: TransactionChanges,
    audience: Audience,
    announce = false,
  ): Promise<TransactionEntity | null> {
    const after = this.next(row, changes, announce);
    const { assignments, values } = this.columns.assignmentsOf(after, [
      ...Object.keys(changes),
      ...CHANGED_ALWAYS,
      ...(after.mac === row.mac ? [] : ['mac']),
    ]);
    const statement = `UPDATE ${this.columns.table} SET ${assignments} WHERE id = ? AND status = ? AND version = ?`;
    const expected = [row.id, row.status, row.version];
    const affected = await affectedRows(this.unitOfWork.manager, statement, [...values, ...expected]);
    if (affected !== 1) return null;
    if (announce || after.status !== row.status) await this.recordEvents([{ before: row, after, audience }]);
    return after;
  }

  /**
   * As {@link change}, for several transactions: three statements, regardless of their number.
   *
   * @param decisions at most one for each transaction
   * @param announce whether to record events even if no status changes
   * @returns the rows afterwards, without those that have been changed meanwhile
   * @throws Error if there are several decisions for a transaction
   */
  async changeAll(decisions: readonly Decision[], announce = false): Promise<TransactionEntity[]> {
    if (new Set(decisions.map(({ row }) => row.id)).size < decisions.length)
      throw new Error('A transaction cannot be changed twice at the same time');
    const changed: TransactionEntity[] = [];
    for (const together of statementParts(decisions, ROWS_PER_STATEMENT, lengthAfter))
      changed.push(...(await this.changeTogether(together, announce)));
    return changed;
  }

  /** Stores why transactions wait. */
  async explain(rows: readonly TransactionEntity[], statusReason: string, audience: Audience): Promise<void> {
    if (rows.length === 0) return;
    const decisions = rows.map((row) => ({ row, changes: { statusReason }, audience }));
    await this.unitOfWork.run(() => this.changeAll(decisions));
  }

  private async changeTogether(
    decisions: readonly Decision[],
    announce: boolean,
  ): Promise<TransactionEntity[]> {
    const current = await this.lockUnchanged(decisions.map(({ row }) => row));
    const recorded: Recorded[] = [];
    const rows = decisions
      .filter(({ row }) => current.has(row.id))
      .map(({ row, changes, audience }) => {
        const after = this.next(row, changes, announce);
        if (announce || after.status !== row.status) recorded.push({ before: row, after, audience });
        return after;
      });
    if (rows.length === 0) return [];
    const macs = new Map(decisions.map(({ row }) => [row.id, row.mac]));
    const properties = new Set([
      ...decisions.flatMap(({ changes }) => Object.keys(changes)),
      ...CHANGED_ALWAYS,
      ...(rows.every(({ id, mac }) => mac === macs.get(id)) ? [] : ['mac']),
    ]);
    const { assignments, values } = this.columns.assignmentsOfAll(rows, [...properties]);
    await this.updateLocked(rows, assignments, values);
    await this.recordEvents(recorded);
    return rows;
  }

  /**
   * Assigns other nonces to transactions. No other transaction may have these nonces.
   *
   * @param moves rows that are locked in this unit of work
   */
  async renumber(moves: readonly Move[], audience: Audience): Promise<void> {
    if (moves.length === 0) return;
    const after = moves.map(({ row, nonce, statusReason }) =>
      this.rows.withMac(Object.assign(this.next(row, { statusReason }, true), { nonce })),
    );
    // The unique index is checked row by row, so no row may get a nonce that another one still has.
    await this.updateLocked(after, 'nonce = -1 - nonce', []);
    const { assignments, values } = this.columns.assignmentsOfAll(after, MOVED);
    await this.updateLocked(after, assignments, values);
    await this.recordEvents(moves.map(({ row }, i) => ({ before: row, after: after[i] ?? row, audience })));
  }

  /**
   * Takes its nonce from a final transaction, so that another transaction can have it. The nonces of an account are
   * unique and not null, so the final one gets a negative one, which is not shown. Must be called while the ledger is
   * locked.
   *
   * @param row as returned by {@link findToChange}
   */
  async freeNonce(row: TransactionEntity): Promise<void> {
    const lowest = await this.repository.findOne({
      select: { id: true, nonce: true },
      where: { accountId: row.accountId },
      order: { nonce: 'ASC' },
    });
    const nonce = Math.min(lowest?.nonce ?? 0, FREED) - 1;
    await this.rows.update(row, { nonce, version: row.version + 1 });
  }

  private async updateLocked(
    rows: readonly TransactionEntity[],
    assignments: string,
    values: readonly unknown[],
  ): Promise<void> {
    const ids = rows.map(({ id }) => id);
    const statement = `UPDATE ${this.columns.table} SET ${assignments} WHERE id IN (${placeholders(ids)})`;
    const affected = await affectedRows(this.unitOfWork.manager, statement, [...values, ...ids]);
    if (affected !== rows.length) throw new Error('Transactions were changed although they were locked');
  }

  /**
   * The ids of the rows that have not changed since they were read. They are locked until the end of the unit of work.
   */
  private async lockUnchanged(rows: readonly TransactionEntity[]): Promise<Set<string>> {
    const ids = rows.map(({ id }) => id);
    const statement = `SELECT id, status, version FROM ${this.columns.table} WHERE id IN (${placeholders(ids)})`;
    const found = await this.unitOfWork.manager.query<Pick<TransactionEntity, 'id' | 'status' | 'version'>[]>(
      statement + this.unitOfWork.forUpdate,
      ids,
    );
    const stored = new Map(found.map((row) => [row.id, row]));
    const isUnchanged = ({ id, status, version }: TransactionEntity): boolean => {
      const now = stored.get(id);
      return now?.status === status && now.version === version;
    };
    return new Set(rows.filter(isUnchanged).map(({ id }) => id));
  }

  /** As {@link change}, including columns that the MAC covers. @param row as returned by {@link findToChange} */
  async changeProtected(
    row: TransactionEntity,
    changes: TransactionChanges & Partial<Pick<TransactionEntity, 'accountId' | 'nonce' | 'request'>>,
    audience: Audience,
  ): Promise<TransactionEntity> {
    const { status = row.status } = changes;
    const { version, eventAt } = this.next(row, { status }, true);
    const after = await this.rows.update(row, { ...changes, status, version, eventAt });
    await this.recordEvents([{ before: row, after, audience }]);
    return after;
  }

  /** @param announce whether the change is an event even if the status stays the same */
  private next(row: TransactionEntity, changes: TransactionChanges, announce: boolean): TransactionEntity {
    const { status = row.status } = changes;
    if (!isLegal(row.status, status)) throw new Error(`No transaction goes from ${row.status} to ${status}`);
    const now = new Date();
    const after = Object.assign(new TransactionEntity(), row, changes, {
      status,
      version: row.version + 1,
      ...((announce || status !== row.status) && { eventAt: later(now, row.eventAt) }),
      ...(isFinal(status) && { openRelayerId: null, finishedAt: now }),
    });
    const isCovered = isFinal(status) || Object.keys(changes).some((property) => COVERED.has(property));
    // The MAC covers what was read and verified; any change of the row since has also changed its version.
    return isCovered ? this.rows.withMac(after) : after;
  }

  /** Records an event for each change, and its metrics after the commit. */
  private async recordEvents(recorded: readonly Recorded[]): Promise<void> {
    const byAudience = new Map<Audience, TransactionEntity[]>();
    for (const { after, audience } of recorded) getOrCreate(byAudience, audience, () => []).push(after);
    for (const [audience, rows] of byAudience) await this.record(rows, audience);
    this.unitOfWork.afterCommit(() => {
      for (const { before, after } of recorded) {
        if (after.status === before.status) continue;
        this.metrics.countStatus(after, after.status);
        recordStage(before, after);
      }
    });
  }

  /** Divided into parts, because events contain all the data of their transactions. */
  private async record(rows: readonly Omit<TransactionEntity, 'mac'>[], audience: Audience): Promise<void> {
    for (const part of statementParts(rows, ROWS_PER_STATEMENT, lengthOf))
      await this.events.record(part, audience);
  }

  /** Stores new attempts. */
  async insertAttempts(attempts: readonly TransactionAttemptEntity[]): Promise<void> {
    this.attemptColumns ??= new RowColumns(this.attempts.metadata);
    for (const part of statementParts(attempts, ROWS_PER_STATEMENT, ({ raw }) => raw?.length ?? 0)) {
      const { statement, values } = this.attemptColumns.insertionOf(part);
      await this.unitOfWork.manager.query(statement, values);
    }
  }

  /** The attempts of a transaction, oldest first. */
  attemptsOf(transactionId: string): Promise<ShownAttempt[]> {
    return this.attempts.find({ select: SHOWN, where: { transactionId }, order: { number: 'ASC' } });
  }

  /** The signed bytes of an attempt; null if they have been purged. */
  async bytesOf(transactionId: string, hash: string): Promise<string | null> {
    const select = { transactionId: true, raw: true } as const;
    return (await this.attempts.findOne({ select, where: { transactionId, hash } }))?.raw ?? null;
  }

  get attempts(): Repository<TransactionAttemptEntity> {
    return this.unitOfWork.repository(TransactionAttemptEntity);
  }

  get repository(): Repository<TransactionEntity> {
    return this.unitOfWork.repository(TransactionEntity);
  }

  private get columns(): RowColumns<TransactionEntity> {
    return (this.known ??= new RowColumns(this.repository.metadata));
  }
}

/**
 * The condition that transactions are of an account, for statements about open ones. It is an expression, so that no
 * database chooses the index on the account, which contains its whole history.
 */
export const ofAccount = (id: string): FindOptionsWhere<TransactionEntity> => ({
  accountId: Raw((column) => `COALESCE(${column}, '') = :account`, { account: id }),
});

/** The length of the large parts of a transaction: its data and lists. */
const lengthOf = ({ request, attempt, revertData }: Omit<TransactionEntity, 'mac'>): number =>
  JSON.stringify(request).length + (attempt?.data?.length ?? 0) + (revertData?.length ?? 0);

/** The length of the large parts after a change: a statement sets a column in all rows, even if only one changes it. */
const lengthAfter = ({ row, changes }: Decision): number =>
  ((changes.attempt ?? row.attempt)?.data?.length ?? 0) +
  ((changes.revertData ?? row.revertData)?.length ?? 0);

/** Ensures that the event times of a transaction increase, even within one millisecond. */
const later = (now: Date, last: Date | null): Date =>
  last && last >= now ? new Date(last.getTime() + 1) : now;
