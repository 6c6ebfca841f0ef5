import { QueryFailedError, type QueryRunner } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver';
import { QueryResult } from 'typeorm/query-runner/QueryResult';
import { errorCodeOf } from '../../../common/errors/error-cause';
import { getOrCreate } from '../../../common/get-or-create';

const BEGIN = 'BEGIN IMMEDIATE TRANSACTION';
/** How long a statement waits for other connections to the file. */
export const BUSY_TIMEOUT_MS = 5000;
/** The maximum number of statements that stay prepared. */
const MAX_STATEMENTS = 200;

/**
 * The part of a libsql statement used here. Values are passed as a list: libsql would interpret a single null argument
 * as named values.
 */
interface Statement {
  readonly reader: boolean;
  all(values: unknown[]): unknown[];
  run(values: unknown[]): { changes: number; lastInsertRowid: number };
}

/** `isReader` is cached because each access to `statement.reader` is a call into the library. */
interface PreparedStatement {
  readonly statement: Statement;
  readonly isReader: boolean;
}

/** The part of a libsql connection used here. */
interface Connection {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare(statement: string): Statement;
}

/** Runs statements on the one connection to a SQLite file, and keeps them prepared. */
export class SqliteStatements {
  private readonly statements = new Map<string, PreparedStatement>();

  constructor(private readonly driver: BetterSqlite3Driver) {}

  /**
   * Whether a transaction is open; some errors of SQLite end it. A closed connection has none, and must not be queried,
   * because libsql would abort the process.
   */
  get inTransaction(): boolean {
    return this.connection.open && this.connection.inTransaction;
  }

  /**
   * Begins a transaction that may write, either immediately or not at all: SQLite's own wait for other connections
   * would block the event loop, and with it a connection of this process that holds the lock. A transaction that reads
   * first could not wait at all: if another process has written since, it fails (SQLITE_BUSY_SNAPSHOT), and so does
   * every retry if that process writes frequently.
   *
   * @returns false if another connection holds the lock
   * @throws QueryFailedError
   */
  begin(): boolean {
    this.prepared('PRAGMA busy_timeout = 0').statement.all([]);
    try {
      this.prepared(BEGIN).statement.run([]);
      return true;
    } catch (error) {
      if (errorCodeOf(error) === 'SQLITE_BUSY') return false;
      throw new QueryFailedError(BEGIN, [], error as Error);
    } finally {
      this.prepared(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`).statement.all([]);
    }
  }

  /**
   * Runs a statement as TypeORM does, but without a promise for each step, because none of them waits. Subscribers to
   * statements are not notified.
   *
   * @throws QueryFailedError
   */
  run(statement: string, parameters: unknown[] = [], runner?: QueryRunner): QueryResult {
    const { logger, options } = this.driver.dataSource;
    logger.logQuery(statement, parameters, runner);
    const start = performance.now();
    try {
      const result = resultOf(this.prepared(statement), parameters);
      const took = performance.now() - start;
      if (options.maxQueryExecutionTime && took > options.maxQueryExecutionTime)
        logger.logQuerySlow(took, statement, parameters, runner);
      return result;
    } catch (error) {
      logger.logQueryError(error as Error, statement, parameters, runner);
      throw new QueryFailedError(statement, parameters, error as Error);
    }
  }

  /**
   * Moves the content of the log file into the database, unless another connection uses it, so that a copy of the database
   * file alone is complete after a stop. SQLite does so by itself only if no connection and no prepared statement is left.
   */
  checkpoint(): void {
    const connection = this.driver.databaseConnection as Connection | undefined;
    if (!connection?.open) return;
    this.prepared('PRAGMA busy_timeout = 0').statement.all([]);
    this.prepared('PRAGMA wal_checkpoint(TRUNCATE)').statement.all([]);
  }

  /** @throws Error if the connection is closed: libsql would still use it for statements that are already prepared */
  private prepared(text: string): PreparedStatement {
    if (!this.connection.open) throw new Error('The database connection is closed');
    return getOrCreate(this.statements, text, () => {
      const [oldest] = this.statements.keys();
      if (oldest !== undefined && this.statements.size === MAX_STATEMENTS) this.statements.delete(oldest);
      const statement = this.connection.prepare(text);
      return { statement, isReader: statement.reader };
    });
  }

  private get connection(): Connection {
    return this.driver.databaseConnection as Connection;
  }
}

/** The result in the form that TypeORM's query builders expect. */
function resultOf({ statement, isReader }: PreparedStatement, parameters: unknown[]): QueryResult {
  const values = parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  const result = new QueryResult();
  if (isReader) {
    result.records = statement.all(values);
    result.raw = result.records;
  } else {
    const { changes, lastInsertRowid } = statement.run(values);
    result.affected = changes;
    result.raw = lastInsertRowid;
  }
  return result;
}
