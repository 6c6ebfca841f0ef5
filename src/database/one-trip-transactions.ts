import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { causeOf } from '../common/errors/error-cause';
import { createDataSource, mysqlPool } from './data-source';
import { driverCodeOf, isRetryable, isTimeout } from './drivers/driver-errors';

/** Connections of a process for transactions that are sent in one round trip. @limit Database and Redis */
const POOL_SIZE = 4;

/** A writing statement that is known before its transaction begins. */
export interface KnownStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether it must affect exactly one row. */
  readonly meetsOne?: boolean;
}

/**
 * Fails unless the previous statement has affected exactly one row, because a scalar subquery must not return two rows.
 */
const MET_ONE_ROW = 'SELECT IF(ROW_COUNT() = 1, 1, (SELECT 1 UNION SELECT 2))';

/** The server does not accept several statements, or a row was not affected; the unit of work then determines why. */
const REFUSALS: ReadonlySet<string> = new Set(['ER_PARSE_ERROR', 'ER_SUBQUERY_NO_1_ROW']);

/**
 * Transactions whose statements are known before they begin, sent to a server in one round trip: a round trip costs
 * this process more than the statement itself. They use separate connections, which are the only ones that accept
 * several statements at once, so that no second statement can be injected into any other.
 */
@Injectable()
export class OneTripTransactions implements OnApplicationShutdown {
  private readonly logger = new Logger(OneTripTransactions.name);
  private opening: Promise<DataSource> | undefined;
  private isRefused = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * False on SQLite, which needs no round trips, and after a refusal by the server. The unit of work must then be used.
   */
  get isPossible(): boolean {
    return this.dataSource.options.type !== 'better-sqlite3' && !this.isRefused;
  }

  /**
   * Commits the statements in order. Must not be called within a unit of work.
   *
   * @returns false if nothing was committed and the unit of work has to do it: after a deadlock, if a statement did not
   * affect its row, or if the server accepts neither several statements nor a further connection
   * @throws Error if a statement fails otherwise: nothing was committed, unless the connection was lost
   */
  async commit(statements: readonly KnownStatement[]): Promise<boolean> {
    const texts = statements.flatMap(({ text, meetsOne }) => (meetsOne ? [text, MET_ONE_ROW] : [text]));
    const session = await this.begin();
    if (!session) return false;
    try {
      await session.query(
        ['START TRANSACTION', ...texts, 'COMMIT'].join(';'),
        statements.flatMap(({ values }) => values),
      );
      return true;
    } catch (error) {
      // If the connection is lost, the server rolls back by itself.
      await session.query('ROLLBACK').catch(() => undefined);
      if (REFUSALS.has(driverCodeOf(error))) this.refuse(error);
      else if (!isRetryable(error)) throw error;
      return false;
    } finally {
      await session.release();
    }
  }

  /**
   * Undefined if no connection is available.
   *
   * @throws QueryFailedError if the check of the connection times out: the unit of work would wait just as long
   */
  private async begin(): Promise<QueryRunner | undefined> {
    try {
      const session = (await this.open()).createQueryRunner();
      await session.connect();
      return session;
    } catch (error) {
      if (isTimeout(error)) throw error;
      this.logger.debug('No connection is free for audit rows in one round trip', { cause: causeOf(error) });
      return undefined;
    }
  }

  private refuse(error: unknown): void {
    this.isRefused = true;
    this.logger.warn('From now on audit rows need several round trips to the database', {
      cause: causeOf(error),
    });
  }

  private open(): Promise<DataSource> {
    this.opening ??= this.connect();
    return this.opening;
  }

  private async connect(): Promise<DataSource> {
    const { options: common } = this.dataSource;
    const pool = mysqlPool(POOL_SIZE, common.extra as object);
    const own = { ...pool, entities: [], migrations: [], multipleStatements: true };
    const options = { ...common, ...own } as DataSourceOptions;
    try {
      return await createDataSource(options).initialize();
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const dataSource = await this.opening?.catch(() => undefined);
    await dataSource?.destroy();
  }
}
