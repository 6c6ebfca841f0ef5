import { overloaded } from '../../../common/errors/retry-later.error';
import { type DataSource, QueryFailedError, type ReplicationMode } from 'typeorm';
import { QueryRunnerAlreadyReleasedError } from 'typeorm/error/QueryRunnerAlreadyReleasedError';
import { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner';
import { QueryResult } from 'typeorm/query-runner/QueryResult';
import { doubtConnections, isNew, needsCheck, noteChecked } from './connection-checks';
import { isRefusedByServer, readOnlyVariable } from './read-only-server';

/** The part of a mysql2 connection used here. */
interface Connection {
  query(
    statement: string,
    parameters: unknown[] | undefined,
    callback: (error: Error | null, result: unknown) => void,
  ): void;
  destroy(): void;
  readonly stream: { destroy(error?: Error): void };
}

/** A transaction that is idle for this many statement timeouts belongs to a process that hangs. */
const IDLE_TIMES = 3;
/** On MySQL, seconds that a connection may be idle in or out of a transaction. The pool closes unused ones before. */
const IDLE_CONNECTION_SECONDS = 120;
/** No row of the service is larger. */
const SORT_BUFFER_BYTES = 8 * 1024 * 1024;
/** A unit of work that waits for a row this many times takes about as long as one statement may. */
const ROW_WAITS = 3;
/** The servers' default, in seconds. The statements of a migration do not wait longer either. */
const LONGEST_ROW_WAIT = 50;

/**
 * The session settings:
 *
 * - Backslash escapes must be enabled, because mysql2 escapes values with backslashes. If the server did not interpret
 *   these, a value could end its own quotes.
 * - Strict mode makes the server refuse a value that does not fit its column. Otherwise it would truncate the value
 *   with a mere warning.
 * - The server ends a wait for a row or a table before the statement times out, so that the work can run again. After a
 *   timeout, the statement would go on waiting at the server, and its transaction would keep its locks.
 * - A server may be set not to commit single statements by itself, or not to check foreign keys. Writes outside of a
 *   unit of work would be lost, and reads would show an old snapshot.
 * - MariaDB ends idle transactions, whose locks would otherwise last until the server gives up the connection, after
 *   eight hours by default. MySQL can end only idle connections, whether or not they are in a transaction. Each server
 *   reads one of the two forms of comment.
 * - MySQL cannot sort rows with a JSON value that is larger than its sort buffer, 256 KiB by default. It allocates no
 *   more of the buffer than it needs.
 */
function sessionSettings(timeoutMs: number): string {
  const seconds = Math.ceil(timeoutMs / 1000);
  const forRow = Math.max(1, Math.min(Math.floor(seconds / ROW_WAITS), LONGEST_ROW_WAIT));
  const forTable = Math.max(1, seconds - 1);
  const idle = Math.ceil((IDLE_TIMES * timeoutMs) / 1000);
  return (
    "SET SESSION sql_mode = TRIM(BOTH ',' FROM REPLACE(" +
    "CONCAT(',STRICT_TRANS_TABLES,', @@SESSION.sql_mode, ','), ',NO_BACKSLASH_ESCAPES,', ','))" +
    `, innodb_lock_wait_timeout = ${forRow}, lock_wait_timeout = ${forTable}` +
    ', autocommit = 1, foreign_key_checks = 1' +
    ` /*M!100300 , idle_transaction_timeout = ${idle} */` +
    ` /*!80000 , wait_timeout = ${Math.max(idle, IDLE_CONNECTION_SECONDS)}` +
    `, sort_buffer_size = ${SORT_BUFFER_BYTES} */`
  );
}

/**
 * The timeout for which a connection was prepared: sessions with different timeouts may use a connection one after the
 * other.
 */
const prepared = new WeakMap<Connection, number>();

/** A statement timeout, with the error code of mysql2. */
class StatementTimeout extends Error {
  readonly code = 'PROTOCOL_SEQUENCE_TIMEOUT';

  constructor() {
    super('Statement timed out');
  }
}

/**
 * A session whose statements have a timeout. The connection of a statement that times out is destroyed: its next user
 * would have to wait until that statement ends. So is one whose server has become read-only, because after a switchover
 * only a new connection reaches the server that took over. A session checks its connection before its first statement if
 * there may have been a switchover.
 *
 * The driver's own timeout is not used. It does not close the connection. Also, it copies a statement's options in a
 * way that makes V8 allocate in the old generation each time, which is then collected three times as often. Subscribers
 * to statements (`beforeQuery`, `afterQuery`) are not notified.
 */
class MysqlSession extends MysqlQueryRunner {
  /** Settles when the last statement has its result. */
  private last: Promise<unknown> = Promise.resolve();
  private connecting: Promise<Connection> | undefined;

  constructor(
    driver: MysqlDriver,
    mode: ReplicationMode,
    private readonly timeoutMs: number,
  ) {
    super(driver, mode);
  }

  override async query(
    statement: string,
    parameters?: unknown[],
    useStructuredResult = false,
  ): ReturnType<MysqlQueryRunner['query']> {
    this.assertNotReleased();
    const connection = await this.connectOrRefuse();
    const { logger } = this.driver.dataSource;
    logger.logQuery(statement, parameters, this);
    try {
      const raw = await this.inTurn(() => {
        // The connection may already belong to another session.
        this.assertNotReleased();
        const run = () => resultOf(connection, statement, parameters, this.timeoutMs);
        return prepared.get(connection) === this.timeoutMs ? run() : this.prepare(connection).then(run);
      });
      return useStructuredResult ? structured(raw) : raw;
    } catch (error) {
      if (error instanceof StatementTimeout) logger.logQuerySlow(this.timeoutMs, statement, parameters, this);
      logger.logQueryError(error as Error, statement, parameters, this);
      throw new QueryFailedError(statement, parameters, error as Error);
    }
  }

  /** Closes connections whose server has become read-only, and uses the next. */
  override connect(): Promise<Connection> {
    this.connecting ??= this.obtain();
    return this.connecting;
  }

  private async obtain(): Promise<Connection> {
    for (;;) {
      const connection = (await this.driver.obtainMasterConnection()) as Connection;
      if (needsCheck(connection) && !(await this.check(connection))) continue;
      this.databaseConnection = connection;
      return connection;
    }
  }

  /**
   * A new connection to a read-only server is used for a short time, so that reads are served until the switchover.
   *
   * @returns false after closing the connection because the next may reach the new primary
   * @throws QueryFailedError if the check fails otherwise
   */
  private async check(connection: Connection): Promise<boolean> {
    const opened = isNew(connection);
    if (opened) doubtConnections();
    const at = performance.now();
    const query = (statement: string) =>
      resultOf(connection, statement, undefined, this.timeoutMs).catch((error: unknown) => {
        throw new QueryFailedError(statement, undefined, error as Error);
      });
    try {
      const variable = await readOnlyVariable({ query } as Pick<DataSource, 'query'>);
      noteChecked(connection, at, variable !== undefined);
      if (variable === undefined) return true;
      doubtConnections();
      if (!opened) discard(connection);
      return opened;
    } catch (error) {
      discard(connection);
      if (opened || !isRefusedByServer(error)) throw error;
      return false;
    }
  }

  /** @throws DomainError `overloaded` if too many wait for a connection */
  private async connectOrRefuse(): Promise<Connection> {
    try {
      return await this.connect();
    } catch (error) {
      // mysql2 gives this error no code.
      if (error instanceof Error && error.message === 'Queue limit reached.')
        throw overloaded('too many statements wait for a connection to the database');
      throw error;
    }
  }

  private async prepare(connection: Connection): Promise<void> {
    await resultOf(connection, sessionSettings(this.timeoutMs), undefined, this.timeoutMs);
    prepared.set(connection, this.timeoutMs);
  }

  private assertNotReleased(): void {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
  }

  /** Runs one statement at a time: mysql2 would queue them too, but their timeouts would already be running. */
  private inTurn(run: () => Promise<unknown>): Promise<unknown> {
    const result = this.last.then(run);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/**
 * @throws StatementTimeout after destroying the connection, or mysql2's error if the statement fails; the connection is
 *   destroyed too if its server is read-only or refuses statements
 */
async function resultOf(
  connection: Connection,
  statement: string,
  parameters: unknown[] | undefined,
  timeoutMs: number,
): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => {
        reject(new StatementTimeout());
      }, timeoutMs);
      connection.query(statement, parameters, (error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  } catch (error) {
    if (error instanceof StatementTimeout) discard(connection, error);
    else if (isRefusedByServer(error)) {
      discard(connection);
      doubtConnections();
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Closes a connection at once. `destroy` of mysql2 only ends the sending side: the socket stays open until the server
 * closes it too, and what is queued on the connection, such as the end of the pool, never settles.
 *
 * @param error rejects what is queued
 */
function discard(connection: Connection, error?: Error): void {
  connection.destroy();
  connection.stream.destroy(error);
}

/** The result in the form that TypeORM's query builders expect. */
function structured(raw: unknown): QueryResult {
  const result = new QueryResult();
  result.raw = raw;
  if (Array.isArray(raw)) result.records = raw;
  else result.affected = (raw as { affectedRows?: number }).affectedRows;
  return result;
}

/** Adds a timeout in milliseconds to the statements of a MySQL data source; other drivers are left unchanged. */
export function limitStatements(dataSource: DataSource, timeoutMs: number): DataSource {
  const driver = dataSource.driver;
  if (driver instanceof MysqlDriver) {
    driver.createQueryRunner = (mode: ReplicationMode): MysqlSession =>
      new MysqlSession(driver, mode, timeoutMs);
  }
  return dataSource;
}

/** A view of a MySQL data source with a different statement timeout, on the same connections. */
export function withStatementTimeout(dataSource: DataSource, timeoutMs: number): DataSource {
  const driver = Object.create(dataSource.driver) as DataSource['driver'];
  return limitStatements(Object.create(dataSource, { driver: { value: driver } }) as DataSource, timeoutMs);
}
