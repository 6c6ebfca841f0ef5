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
import { isRetryable } from './drivers/driver-errors';
import { unitOfWorkContext } from './unit-of-work-context';

const MAX_ATTEMPTS = 8;
const BACKOFF_MS = 10;

/** Runs transactions, and gives access to the database within the current one. */
@Injectable()
export class UnitOfWork {
  private readonly logger = new Logger(UnitOfWork.name);

  private readonly afterCommits = new WeakMap<EntityManager, (() => void)[]>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The entity manager of the current unit of work; outside of one, each statement commits by itself. */
  get manager(): EntityManager {
    return unitOfWorkContext.get() ?? this.dataSource.manager;
  }

  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return this.manager.getRepository(entity);
  }

  /**
   * Runs `work` in one transaction. On a deadlock or lock time-out all of it runs again, so it must have no effect outside
   * the database and make no network call. Inside another unit of work it becomes part of that one. A single writing
   * statement needs a unit of work too, since it can deadlock.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    return this.inProgress ? work() : this.retrying(() => this.commit(work));
  }

  /**
   * Runs `work` whose only write is one statement, which commits by itself; retried as in {@link run}, whose rules apply.
   * What it reads before may have changed by then, so the statement must say what it expects.
   */
  async runStatement<T>(work: () => Promise<T>): Promise<T> {
    return this.inProgress ? work() : this.retrying(work);
  }

  private async retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
        this.logger.debug('Retrying transaction', { attempt });
        await sleep(Math.random() * BACKOFF_MS * 2 ** attempt);
      }
    }
  }

  /** Whether the current call is part of a unit of work. */
  get inProgress(): boolean {
    return unitOfWorkContext.get() !== undefined;
  }

  /**
   * Calls back once the current unit of work is committed, and never if it is rolled back; at once outside of a unit of work.
   * The callback must not throw, and may be lost if the process ends before.
   */
  afterCommit(callback: () => void): void {
    const manager = unitOfWorkContext.get();
    if (!manager) {
      callback();
      return;
    }
    const callbacks = this.afterCommits.get(manager);
    if (callbacks) callbacks.push(callback);
    else this.afterCommits.set(manager, [callback]);
  }

  private async commit<T>(work: () => Promise<T>): Promise<T> {
    let callbacks: (() => void)[] = [];
    const result = await this.dataSource.transaction(async (manager) => {
      const done = await unitOfWorkContext.run(manager, work);
      callbacks = this.afterCommits.get(manager) ?? [];
      return done;
    });
    for (const callback of callbacks) callback();
    return result;
  }

  /** Ends a SELECT whose rows stay locked until the end of the unit of work; empty on SQLite, see {@link locksRows}. */
  get forUpdate(): '' | ' FOR UPDATE' {
    return this.locksRows ? ' FOR UPDATE' : '';
  }

  /** Whether rows can be locked; SQLite runs transactions one after the other and needs no lock. */
  get locksRows(): boolean {
    return this.dataSource.options.type !== 'better-sqlite3';
  }
}
