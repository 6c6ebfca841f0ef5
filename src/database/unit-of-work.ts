import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { overloaded } from '../common/errors/retry-later.error';
import { getOrCreate } from '../common/get-or-create';
import { currentSharer } from '../common/http/client-shares';
import { ClientTurns } from '../common/http/client-turns';
import { currentRequest } from '../common/http/request-context';
import { inSpan, type Span } from '../common/tracing/spans';
import { POOL_SIZE } from './data-source';
import { isRetryable, isTimeout } from './drivers/driver-errors';
import {
  type CommitHook,
  type CurrentUnitOfWork,
  currentUnitOfWork,
  runInUnitOfWork,
} from './unit-of-work-context';

const MAX_ATTEMPTS = 8;
const BACKOFF_MS = 10;
/**
 * No attempt begins later than this, so that callers who wait for the same lock again and again fail after about as long
 * as one statement may take.
 */
const LAST_ATTEMPT_MS = 7_000;
/**
 * What transactions for requests of one API key may use of the connections, as far as all others leave them: those that
 * wait for the same row would leave none.
 * @limit Database and Redis
 */
const SHARE_PERCENT = 50;
/** How long a request waits for the transactions of other requests of its key. @limit Database and Redis */
const TURN_MS = 10_000;
/** A transaction that is open for longer holds up others, and is logged. */
const LONG_MS = 30_000;
/** The length of the source code in the log that tells which transaction it was. */
const SOURCE_LENGTH = 200;

interface RowLock {
  lock?: { mode: 'pessimistic_write'; onLocked?: 'nowait' };
}

/** Runs transactions, and gives access to the database within the current one. @public */
@Injectable()
export class UnitOfWork {
  private readonly logger = new Logger(UnitOfWork.name);
  private readonly turns = new ClientTurns(POOL_SIZE, SHARE_PERCENT);

  /** @internal */
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The entity manager of the current unit of work; outside of one, each statement is committed by itself. */
  get manager(): EntityManager {
    return currentUnitOfWork()?.manager ?? this.dataSource.manager;
  }

  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return this.manager.getRepository(entity);
  }

  /**
   * Runs `work` in one transaction. After a deadlock or lock timeout it is rolled back and runs again, so it must have no
   * effects outside of the database and make no network calls; ports that sign or send throw an error in it. Inside
   * another unit of work it becomes part of that one. A single writing statement also needs a unit of work, because it
   * can deadlock.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    return this.inProgress ? work() : this.retrying('database transaction', () => this.commit(work));
  }

  /**
   * Runs the work of several callers in one transaction, once. It does not wait for a row that {@link forUpdate} or
   * {@link lockingRows} finds locked, because all callers would wait.
   *
   * @internal
   * @returns false if it fails: then nothing is stored, and the work of each caller can be run separately
   * @throws Error if the commit fails: it is not known whether it happened; or if the database does not respond in time
   */
  async runOnce(work: () => Promise<void>): Promise<boolean> {
    const progress = { isDone: false };
    const all = async (): Promise<void> => {
      await work();
      progress.isDone = true;
    };
    try {
      await this.traced('database transaction', () => this.commit(all, { waitsForRows: false }));
      return true;
    } catch (error) {
      if ((progress.isDone && !isRetryable(error)) || isTimeout(error)) throw error;
      return false;
    }
  }

  /**
   * Runs `work` whose only write is one statement, which commits by itself; retried as in {@link run}, whose rules
   * apply. Data that it has read may have changed by then, so the statement must state the values that it expects.
   *
   * @internal
   */
  async runStatement<T>(work: () => Promise<T>): Promise<T> {
    return this.inProgress ? work() : this.retrying('database statement', work);
  }

  private async retrying<T>(name: string, work: () => Promise<T>): Promise<T> {
    const end = this.locksRows && currentRequest() ? await this.takeTurn() : undefined;
    try {
      return await this.traced(name, (span) => this.repeat(work, span));
    } finally {
      end?.();
    }
  }

  private takeTurn(): Promise<() => void> {
    const sharer = currentSharer();
    return this.turns.take('', sharer, AbortSignal.timeout(TURN_MS)).catch(() => {
      throw overloaded(`too many changes${sharer?.whose ?? ''} wait for each other; see Retry-After`);
    });
  }

  private traced<T>(name: string, work: (span?: Span) => Promise<T>): Promise<T> {
    const { type } = this.dataSource.options;
    const attributes = { 'db.system.name': type === 'better-sqlite3' ? 'sqlite' : type };
    return inSpan(name, { kind: 'client', attributes }, work);
  }

  private async repeat<T>(work: () => Promise<T>, span?: Span): Promise<T> {
    const end = performance.now() + LAST_ATTEMPT_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error) || performance.now() > end) throw error;
        this.logger.debug('Retrying transaction', { attempt });
        span?.set({ retries: attempt });
        await sleep(Math.random() * BACKOFF_MS * 2 ** attempt);
      }
    }
  }

  /** Whether the current call is part of a unit of work. */
  get inProgress(): boolean {
    return currentUnitOfWork() !== undefined;
  }

  /**
   * Calls back once the current unit of work is committed, and never if it is rolled back; outside of a unit of work,
   * immediately. The callback must not throw, and may be lost if the process ends first.
   */
  afterCommit(callback: () => void): void {
    const current = currentUnitOfWork();
    if (current) current.afterCommits.push(callback);
    else callback();
  }

  /**
   * The hook of the current unit of work that belongs to `owner`, created by `create` if there is none. Hooks are called in
   * the order in which they were created.
   *
   * @throws Error outside of a unit of work, and in one whose hooks write their rows
   * @internal
   */
  commitHook<H extends CommitHook>(owner: object, create: () => H): H {
    const current = currentUnitOfWork();
    if (!current) throw new Error('There is no unit of work');
    if (current.phase === 'closing')
      throw new Error('The unit of work ends without this call: all calls in it must be awaited');
    return getOrCreate<object, CommitHook>(current.hooks, owner, create) as H;
  }

  private async commit<T>(work: () => Promise<T>, { waitsForRows = true } = {}): Promise<T> {
    const hooks: CurrentUnitOfWork['hooks'] = new Map();
    const afterCommits: (() => void)[] = [];
    let unit: CurrentUnitOfWork | undefined;
    let alarm: NodeJS.Timeout | undefined;
    let isCommitted = false;
    try {
      const result = await this.dataSource.transaction((manager) => {
        const current: CurrentUnitOfWork = { manager, hooks, afterCommits, waitsForRows, phase: 'open' };
        unit = current;
        alarm = setTimeout(() => this.warnOf(work), LONG_MS).unref();
        return runInUnitOfWork(current, async () => {
          const done = await work();
          current.phase = 'closing';
          for (const hook of hooks.values()) await hook.beforeCommit();
          return done;
        });
      });
      isCommitted = true;
      for (const callback of afterCommits) callback();
      return result;
    } finally {
      clearTimeout(alarm);
      if (unit) unit.phase = 'over';
      for (const hook of hooks.values()) hook.ended(isCommitted);
    }
  }

  private warnOf(work: () => unknown): void {
    const source = String(work).replace(/\s+/g, ' ').slice(0, SOURCE_LENGTH);
    this.logger.warn('A transaction stays open and holds up others', { seconds: LONG_MS / 1000, source });
  }

  /** The options of a TypeORM query whose rows stay locked as with {@link forUpdate}. @internal */
  get lockingRows(): RowLock {
    if (!this.locksRows) return {};
    const waits = currentUnitOfWork()?.waitsForRows !== false;
    return { lock: { mode: 'pessimistic_write', ...(!waits && { onLocked: 'nowait' }) } };
  }

  /**
   * Ends a SELECT so that its rows stay locked until the end of the unit of work; empty on SQLite, see {@link
   * locksRows}.
   */
  get forUpdate(): '' | ' FOR UPDATE' | ' FOR UPDATE NOWAIT' {
    if (!this.locksRows) return '';
    return currentUnitOfWork()?.waitsForRows === false ? ' FOR UPDATE NOWAIT' : ' FOR UPDATE';
  }

  /**
   * Ends a SELECT so that its rows are the current ones, and stay unchanged until the end of the unit of work; empty on
   * SQLite. MariaDB has no FOR SHARE.
   *
   * @internal
   */
  get forShare(): '' | ' LOCK IN SHARE MODE' {
    return this.locksRows ? ' LOCK IN SHARE MODE' : '';
  }

  /** Whether rows can be locked. SQLite runs transactions one after the other and needs no locks. */
  get locksRows(): boolean {
    return this.dataSource.options.type !== 'better-sqlite3';
  }
}
