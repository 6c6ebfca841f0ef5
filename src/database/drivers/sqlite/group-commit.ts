import { setTimeout as sleep } from 'node:timers/promises';
import { QueryFailedError, type QueryRunner } from 'typeorm';
import type { QueryResult } from 'typeorm/query-runner/QueryResult';
import { gather } from '../../../common/event-loop/gather';
import type { OpenedFile } from './opened-file';
import { BUSY_TIMEOUT_MS, type SqliteStatements } from './sqlite-statements';
import type { TransactionGate } from './transaction-gate';

/** The maximum number of transactions in a group, including failed ones, so that none waits too long for its commit. */
const MAX_TOGETHER = 128;
/** The maximum number of turns of the event loop that a commit waits for other transactions. */
const MAX_TURNS = 4;
const LOST = 'SQLite has rolled the transaction back';
/** The pause between two attempts to get the write lock. */
const LOCK_PAUSE_MS = 1;

/** Another connection kept the file's write lock for too long. */
class BusyFileError extends Error {
  readonly code = 'SQLITE_BUSY';

  constructor() {
    super('database is locked');
  }
}

interface Waiting {
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * Commits concurrent transactions together: a commit has to reach the disk, which takes longer than all statements of a
 * transaction. Each transaction is a savepoint in one SQLite transaction, so it can fail alone. Its commit resolves
 * with that of SQLite. No statement outside the group is run meanwhile, so nobody sees data that might still be lost.
 *
 * Nothing is committed if the database file is no longer at its path.
 *
 * A constraint that SQLite checks only at commit (`DEFERRABLE INITIALLY DEFERRED`) would make the whole group fail, so
 * there must not be any.
 */
export class GroupCommit {
  /**
   * Transactions that are ready to be committed. The first of a group has no savepoint: if it fails, the group has no
   * other member yet.
   */
  private waiting: Waiting[] = [];
  /** The number of transactions that have begun. */
  private members = 0;
  private isOpen = false;
  private isClosing = false;
  /** Whether SQLite has rolled back the whole group while one of its transactions is still running. */
  private isLost = false;
  private hasFailed = false;

  constructor(
    private readonly gate: TransactionGate,
    private readonly statements: SqliteStatements,
    private readonly file: OpenedFile,
  ) {}

  /** Begins a transaction of a session that the gate has admitted. @throws QueryFailedError */
  async begin(session: object): Promise<void> {
    this.assertOwner(session);
    if (this.isOpen) {
      this.statements.run('SAVEPOINT member');
      this.members += 1;
      return;
    }
    if (this.hasFailed) {
      // The sessions of a group that was lost must get their errors before another transaction begins.
      await new Promise(setImmediate);
      this.hasFailed = false;
    }
    if (!this.statements.begin()) await this.beginLate();
    this.isOpen = true;
    this.members = 1;
    this.gate.holdStatements();
  }

  /** Begins once another connection releases the write lock. */
  private async beginLate(): Promise<void> {
    const end = performance.now() + BUSY_TIMEOUT_MS;
    do {
      if (performance.now() > end) throw new QueryFailedError('BEGIN', undefined, new BusyFileError());
      await sleep(LOCK_PAUSE_MS);
    } while (!this.statements.begin());
  }

  /**
   * Runs a statement in the running transaction.
   *
   * @throws QueryFailedError; some errors, such as a full disk, end SQLite's whole transaction
   */
  run(statement: string, parameters: unknown[], runner: QueryRunner): QueryResult {
    if (this.isLost) throw new Error(LOST);
    try {
      return this.statements.run(statement, parameters, runner);
    } catch (error) {
      if (this.isOpen && !this.statements.inTransaction) {
        this.isLost = true;
        this.fail(error);
      }
      throw error;
    }
  }

  /**
   * Lets the next session begin, and resolves once the transaction is committed.
   *
   * @throws Error if nothing was committed; {@link rollback} must follow
   */
  async commit(session: object): Promise<void> {
    this.assertOwner(session);
    if (this.isLost) throw new Error(LOST);
    if (this.waiting.length > 0) this.statements.run('RELEASE member');
    const committed = new Promise<void>((resolve, reject) => this.waiting.push({ resolve, reject }));
    this.closeOrGather();
    this.gate.end(session);
    return committed;
  }

  /**
   * Rolls back only this transaction. Does nothing if the session's transaction is over.
   *
   * @throws QueryFailedError if that is not possible; the others are then rolled back as well
   */
  rollback(session: object): void {
    if (this.gate.owner !== session) return;
    try {
      if (this.isLost) this.isLost = false;
      else if (this.waiting.length > 0) this.rollbackMember();
      else this.fail();
    } finally {
      if (!this.isOpen) this.gate.letStatements();
      this.gate.end(session);
    }
  }

  private assertOwner(session: object): void {
    if (this.gate.owner !== session) throw new Error('The session has no transaction');
  }

  private rollbackMember(): void {
    try {
      this.statements.run('ROLLBACK TO member');
      this.statements.run('RELEASE member');
    } catch (error) {
      this.fail(error);
      throw error;
    }
    this.closeOrGather();
  }

  private closeOrGather(): void {
    if (this.members >= MAX_TOGETHER) this.close();
    else void this.closeSoon();
  }

  private async closeSoon(): Promise<void> {
    if (this.isClosing) return;
    this.isClosing = true;
    await gather(() => this.waiting.length, { members: MAX_TOGETHER, turns: MAX_TURNS });
    this.isClosing = false;
    // A running transaction closes the group when it ends.
    if (this.waiting.length > 0 && this.gate.owner === undefined) this.close();
  }

  private close(): void {
    try {
      this.file.assertInPlace();
      this.statements.run('COMMIT');
      this.end(({ resolve }) => resolve());
    } catch (error) {
      this.fail(error);
    }
    this.gate.letStatements();
  }

  private fail(error?: unknown): void {
    try {
      if (this.statements.inTransaction) this.statements.run('ROLLBACK');
    } catch {
      // The failure has been logged, and the next transaction fails for the same reason.
    }
    this.hasFailed = this.waiting.length > 0;
    this.end(({ reject }) => reject(error));
  }

  private end(settle: (one: Waiting) => void): void {
    const { waiting } = this;
    this.waiting = [];
    this.isOpen = false;
    waiting.forEach(settle);
  }
}
